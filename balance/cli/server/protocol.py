"""The Model Context Protocol over standard input and output, by its own SDK."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from functools import partial
from typing import Any

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
from balance.cli.server.calls import Worker
from balance.cli.server.tools import Tool

ANSWERS = "balance://answers"
"""Where the schema of answers is read: once, and not in the list with each of the tools."""
SCHEMA_TYPE = "application/schema+json"
INSTRUCTIONS = (
    "Exact and simulated balance analysis of tabletop wargames. `show` lists what can be asked: with a game alone an "
    "overview, with table=entrants the ids of sides, with table=situation what `set` may change (an empty value clears "
    "a list), with table=policies how a side may play, for `choose` (policy_a=NAME); without a game all games. `seed` "
    "is 0 and `first` random where they are not said; `trials` and `half_width` (of each chance to win) add a "
    "simulation to an exact answer. Every other tool answers with a sentence, tables with 95 % intervals (low, high), "
    "`cannot_see`, what the answer leaves out, and where it comes from (seed, rules_version, catalogue_sha256). "
    "Pass on the interval and what it cannot see with every number; call no difference real whose interval holds 0, "
    "and nothing fair that is not yet known. The resource " + ANSWERS + " is the JSON Schema of these answers."
)


def server_of(tools: Mapping[str, Tool], worker: Worker) -> Server[Any]:
    """Return a server with these tools, whose calls go to the worker."""
    listed = [_listed(tool) for tool in tools.values()]

    async def list_tools(
        context: ServerRequestContext[Any], params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=listed)

    async def call_tool(
        context: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        given_up = threading.Event()
        work = partial(worker.ask, params.name, params.arguments or {}, given_up)
        try:
            result = await anyio.to_thread.run_sync(work, abandon_on_cancel=True)
        finally:
            given_up.set()
        return _failed(result["error"]) if "error" in result else _answered(tools[params.name], result["answer"])

    return Server(
        "balance",
        version=__version__,
        title="balance: is this wargame fair?",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=_list_resources,
        on_read_resource=_read_resource,
    )


async def _list_resources(
    context: ServerRequestContext[Any], params: types.PaginatedRequestParams | None
) -> types.ListResourcesResult:
    about = "The JSON Schema of what every tool but `show` answers."
    resource = types.Resource(uri=ANSWERS, name="answers", description=about, mime_type=SCHEMA_TYPE)
    return types.ListResourcesResult(resources=[resource])


async def _read_resource(
    context: ServerRequestContext[Any], params: types.ReadResourceRequestParams
) -> types.ReadResourceResult:
    if str(params.uri) != ANSWERS:
        raise MCPError(types.INVALID_PARAMS, f"there is no such resource; allowed: {ANSWERS}")
    text = json.dumps(schema_of(Brief))
    return types.ReadResourceResult(
        contents=[types.TextResourceContents(uri=ANSWERS, mime_type=SCHEMA_TYPE, text=text)]
    )


def _listed(tool: Tool) -> types.Tool:
    annotations = types.ToolAnnotations(read_only_hint=True, open_world_hint=False)
    return types.Tool(name=tool.name, description=tool.about, input_schema=tool.input_schema, annotations=annotations)


def _answered(tool: Tool, answer: dict[str, Any]) -> types.CallToolResult:
    text = json.dumps(answer) if tool.is_brief else answer["text"]
    content: list[types.ContentBlock] = [types.TextContent(type="text", text=text)]
    return types.CallToolResult(content=content, structured_content=answer if tool.is_brief else None)


def _failed(text: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=True)


def run(tools: Mapping[str, Tool], worker: Worker) -> None:
    """Serve over standard input and output until the client hangs up, then stop the worker."""
    try:
        anyio.run(_serve, server_of(tools, worker))
    finally:
        worker.stop()


async def _serve(server: Server[Any]) -> None:
    async with stdio_server() as (read_stream, write_stream):
        await server.run(read_stream, write_stream, server.create_initialization_options())
