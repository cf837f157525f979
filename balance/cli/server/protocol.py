"""The Model Context Protocol over standard input and output, by its own SDK."""

from __future__ import annotations

import contextlib
import json
import threading
from collections import deque
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar
from urllib.parse import unquote

import anyio
import anyio.to_thread
import mcp_types as types
from mcp.server import Server
from mcp.server.context import ServerRequestContext
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

from balance.answers.documents.brief import Brief
from balance.answers.documents.schemas import schema_of
from balance.base import __version__
from balance.base.errors import UsageError
from balance.cli.server.calls import Worker
from balance.cli.server.names import GAMES
from balance.cli.server.prompts import TITLES, WORDS, text_of, words_of
from balance.cli.server.tools import Tool
from balance.cli.server.worker import TELL_SECONDS

ANSWERS = "balance://answers"
"""Where the schema of answers is read: once, and not in the list with each of the tools."""
SCHEMA_TYPE, JSON_TYPE = "application/schema+json", "application/json"
MOST_OFFERED = 100
"""Names that complete a word at once, as the protocol has it."""
INSTRUCTIONS = (
    "Exact and simulated balance analysis of tabletop wargames. `show` lists what can be asked: without a game all "
    "games; with one an overview, with table=entrants the ids of sides, with table=situation what `set` may change (an "
    "empty value clears a list), with table=policies how a side may play, for `choose` (policy_a=NAME). The same names "
    f"are the resources {GAMES} and {GAMES}/GAME. Armies are written MEMBER[:COUNT][,MEMBER[:COUNT]...]. `seed` is of "
    "the dice, 0 where it is not said, and `first` is random; `trials` and `half_width` (of each chance to win) add a "
    "simulation to an exact answer. Every other tool answers with a sentence, tables with 95 % intervals (low, high), "
    "`cannot_see`, what the answer leaves out, and where it comes from (seed, rules_version, catalogue_sha256). "
    "Pass on the interval and what it cannot see with every number; call no difference real whose interval holds 0, "
    "and nothing fair that is not yet known. The resource " + ANSWERS + " is the JSON Schema of these answers."
)
RESOURCES = [
    types.Resource(
        uri=ANSWERS, name="answers", description="The JSON Schema of answers, but of `show`.", mime_type=SCHEMA_TYPE
    ),
    types.Resource(uri=GAMES, name="games", description="The games and logs served, by name.", mime_type=JSON_TYPE),
]
TEMPLATE = types.ResourceTemplate(
    name="names",
    uri_template=f"{GAMES}/{{game}}",
    description="What a game calls its entrants, kinds of question, settings, policies and rules.",
    mime_type=JSON_TYPE,
)
Context = ServerRequestContext[Any]
Pages = types.PaginatedRequestParams | None
Listing = TypeVar("Listing")


@dataclass
class _Desk:
    """Answers requests: most by the `worker`; names, which nobody should have to wait for, by the `clerk`."""

    worker: Worker
    clerk: Worker

    async def call_tool(self, context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        is_text = params.name == "show"
        result = await _asked(self.clerk if is_text else self.worker, params.name, params.arguments or {}, context)
        return _failed(result["error"]) if "error" in result else _answered(result["answer"], is_text)

    async def read_resource(
        self, context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        uri = str(params.uri)
        if uri == ANSWERS:
            return _read(uri, SCHEMA_TYPE, schema_of(Brief))
        if uri != GAMES and not uri.startswith(f"{GAMES}/"):
            allowed = f"{ANSWERS}, {GAMES}, {TEMPLATE.uri_template}"
            raise MCPError(types.INVALID_PARAMS, f"there is no such resource; allowed: {allowed}")
        return _read(uri, JSON_TYPE, await self._names(unquote(uri[len(GAMES) + 1 :])))

    async def _names(self, game: str = "") -> dict[str, Any]:
        result = await _asked(self.clerk, GAMES, {"game": game})
        if "error" in result:
            raise MCPError(types.INVALID_PARAMS, result["error"])
        names: dict[str, Any] = result["answer"]
        return names

    async def get_prompt(self, context: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        try:
            text = text_of(params.name, params.arguments or {})
        except UsageError as error:
            raise MCPError(types.INVALID_PARAMS, "; ".join(map(str, error.faults))) from None
        message = types.PromptMessage(role="user", content=types.TextContent(type="text", text=text))
        return types.GetPromptResult(messages=[message])

    async def complete(self, context: Context, params: types.CompleteRequestParams) -> types.CompleteResult:
        word, text = params.argument.name, params.argument.value.lower()
        game = ((params.context and params.context.arguments) or {}).get("game", "")
        names = list[str]()
        with contextlib.suppress(MCPError):  # a game with faults offers nothing
            if word in ("game", "log"):
                names = [*(await self._names())[f"{word}s"]]
            elif game:
                names = [key for ids in (await self._names(game))["entrants"].values() for key in ids]
        fitting = [name for name in dict.fromkeys(names) if text in name.lower()]
        fitting.sort(key=lambda name: not name.lower().startswith(text))
        return types.CompleteResult(completion=types.Completion(values=fitting[:MOST_OFFERED], total=len(fitting)))


def server_of(tools: Mapping[str, Tool], worker: Worker, clerk: Worker) -> Server[Any]:
    """Return a server with these tools, whose calls go to the worker, and those that ask for names to the clerk."""
    desk, prompts = _Desk(worker, clerk), list(map(_prompt, TITLES))
    return Server(
        "balance",
        version=__version__,
        title="balance: is this wargame fair?",
        instructions=INSTRUCTIONS,
        on_list_tools=_always(types.ListToolsResult(tools=[_listed(tool) for tool in tools.values()])),
        on_call_tool=desk.call_tool,
        on_list_resources=_always(types.ListResourcesResult(resources=RESOURCES)),
        on_list_resource_templates=_always(types.ListResourceTemplatesResult(resource_templates=[TEMPLATE])),
        on_read_resource=desk.read_resource,
        on_list_prompts=_always(types.ListPromptsResult(prompts=prompts)),
        on_get_prompt=desk.get_prompt,
        on_completion=desk.complete,
    )


def _always(listing: Listing) -> Callable[[Context, Pages], Coroutine[Any, Any, Listing]]:
    async def answer(context: Context, params: Pages) -> Listing:
        return listing

    return answer


async def _asked(
    worker: Worker, name: str, arguments: Mapping[str, Any], context: Context | None = None
) -> dict[str, Any]:
    """Return the answer of a worker, and tell the client how far it has come; where it cancels, the work ends."""
    given_up, news = threading.Event(), deque[dict[str, Any]](maxlen=1)

    async def keep_telling() -> None:
        while context is not None:
            await anyio.sleep(TELL_SECONDS)
            if news:
                step = news.pop()
                await context.session.report_progress(step["progress"], step["total"], step["message"])

    work = partial(worker.ask, name, arguments, given_up, news.append)
    try:
        async with anyio.create_task_group() as group:
            group.start_soon(keep_telling)
            result = await anyio.to_thread.run_sync(work, abandon_on_cancel=True)
            group.cancel_scope.cancel()
    finally:
        given_up.set()
    return result


def _read(uri: str, mime_type: str, document: Any) -> types.ReadResourceResult:
    text = json.dumps(document, ensure_ascii=False)
    return types.ReadResourceResult(contents=[types.TextResourceContents(uri=uri, mime_type=mime_type, text=text)])


def _prompt(name: str) -> types.Prompt:
    words = [types.PromptArgument(name=word, description=WORDS[word], required=True) for word in words_of(name)]
    return types.Prompt(name=name, title=TITLES[name], arguments=words)


def _listed(tool: Tool) -> types.Tool:
    annotations = types.ToolAnnotations(read_only_hint=True)
    return types.Tool(name=tool.name, description=tool.about, input_schema=tool.input_schema, annotations=annotations)


def _answered(answer: dict[str, Any], is_text: bool) -> types.CallToolResult:
    content: list[types.ContentBlock] = [
        types.TextContent(type="text", text=answer["text"] if is_text else json.dumps(answer))
    ]
    return types.CallToolResult(content=content, structured_content=None if is_text else answer)


def _failed(text: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=True)


def run(tools: Mapping[str, Tool], worker: Worker, clerk: Worker) -> None:
    """Serve over standard input and output until the client hangs up, then stop both workers."""
    try:
        anyio.run(_serve, server_of(tools, worker, clerk))
    finally:
        worker.stop()
        clerk.stop()


async def _serve(server: Server[Any]) -> None:
    async with stdio_server() as (read_stream, write_stream):
        await server.run(read_stream, write_stream, server.create_initialization_options())
