"""The page of a battle on a board: whole, safe, read without script, and the same every time."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from balance.answers.blocks.document import Document, Figure, Section
from balance.answers.blocks.tables import Table
from balance.chance.rolls.board import OFF_BOARD
from balance.game.loaded import load
from balance.game.question.board_story import BoardStory
from balance.game.question.narration import told_on_board
from balance.game.question.question import Question
from balance.game.question.replay import replay
from balance.reporting.board.page import board_page, safe_json
from balance.reporting.board.sections import board_sections
from balance.reporting.board.turns import turns_of
from balance.reporting.replay import draw_replay, replay_document
from tests.reporting.battle_story import HOSTILE, battle, trial_of
from tests.reporting.policy import check_policy
from tests.reporting.reading import Reader, pdf_pages, squeeze

VOID = {"meta", "input", "br", "img", "link", "hr"}
ABOUT = Document(f"Blue against {HOSTILE}", "Trial 17", (), (("Seed", "0"), (HOSTILE, HOSTILE)))


def paged(story: BoardStory) -> str:
    return board_page(ABOUT, story, f"Blue has won: {HOSTILE}.", ("Round by round.", HOSTILE))


@pytest.fixture(scope="module", params=["hex", "square"])
def story(request: pytest.FixtureRequest) -> BoardStory:
    """Return the tiny battle on each kind of board."""
    return battle(request.param)


@pytest.fixture(scope="module")
def page(story: BoardStory) -> str:
    return paged(story)


@pytest.fixture(scope="module")
def asked() -> Question:
    return load("immortal_souls").ask("encounter", "ecarus,auriel", "ambush")


class Checked(Reader):
    """Keeps which tags are open, too."""

    def __init__(self, page: str) -> None:
        self.open: list[str] = []
        self.wrong: list[str] = []
        super().__init__(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        super().handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        super().handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


def story_data(page: str) -> dict[str, object]:
    (found,) = re.findall(r'<script type="application/json" id="story">(.*?)</script>', page, re.S)
    return json.loads(found)


def test_tags_close_and_ids_are_unique(page: str) -> None:
    checked = Checked(page)
    assert (checked.open, checked.wrong) == ([], [])
    ids = [attrs["id"] for _, attrs in checked.tags if "id" in attrs]
    assert len(ids) == len(set(ids))
    named = {part for _, attrs in checked.tags for part in (attrs.get("aria-labelledby") or "").split()}
    assert named <= set(ids)


def test_nothing_is_loaded_from_outside(page: str) -> None:
    reader = Reader(page)
    links = [value for _, attrs in reader.tags for key, value in attrs.items() if key in {"src", "href", "srcset"}]
    assert links
    assert all(re.fullmatch(r"#(\d+|ground)", link or "") for link in links)
    assert not reader.named("link", "iframe", "object", "embed", "base", "form", "img")
    assert set(re.findall(r"[\w=\"]+://[^\"]+", page)) == {'xmlns="http://www.w3.org/2000/svg'}
    assert "url(" not in page
    assert "@import" not in page
    assert not re.search(r"\b(fetch|XMLHttpRequest|import|eval|Function)\b\s*\(", page)
    check_policy(page)


def test_a_hostile_name_brings_in_no_tag(page: str) -> None:
    reader = Reader(page)
    assert len(reader.named("script")) == 2
    assert len(reader.named("h1")) == 1
    assert "alert(" not in "".join(re.findall("<script.*?</script>", page, re.S))
    assert "".join(reader.text).count(HOSTILE) >= 6
    assert not [key for _, attrs in reader.tags for key in attrs if key.startswith("on")]


def test_every_text_may_be_hostile(story: BoardStory) -> None:
    words = replace(
        story.frames[3], moment=HOSTILE, actor=HOSTILE, text=HOSTILE, dice=(HOSTILE,), score=((HOSTILE,) * 3,)
    )
    tokens = tuple(replace(token, name=HOSTILE, label="<b>") for token in story.tokens)
    told = replace(story, sides=(HOSTILE, HOSTILE), tokens=tokens, frames=(*story.frames[:3], words))
    reader = Checked(paged(told))
    assert (reader.open, reader.wrong) == ([], [])
    assert len(reader.named("script")) == 2
    assert not reader.named("b") or all(not attrs for _, attrs in reader.named("b"))
    assert HOSTILE in story_data(paged(told))["texts"]


def test_the_same_battle_gives_the_same_page(story: BoardStory, page: str) -> None:
    assert paged(battle(story.ground.shape)) == page


def test_every_step_is_told_in_words_with_its_dice(story: BoardStory, page: str) -> None:
    text = squeeze("".join(Reader(page).text))
    for frame in story.frames:
        for words in (frame.moment, frame.actor, frame.text, *frame.dice):
            assert squeeze(words) in text
    items = [attrs for _, attrs in Reader(page).named("li") if attrs.get("value")]
    assert [attrs["id"] for attrs in items] == [str(number) for number in range(len(story.frames))]


def test_the_data_follow_the_frames(story: BoardStory, page: str) -> None:
    data = story_data(page)
    frames, texts = data["frames"], data["texts"]
    assert len(frames) == len(story.frames)
    for told, frame in zip(frames, story.frames, strict=True):
        assert len(told["units"]) == len(story.tokens)
        for (x, _, bar, marks, state), standing in zip(told["units"], frame.standings, strict=True):
            assert (x == 0) == (standing.cell == OFF_BOARD)
            assert (bar == 0) == (x == 0)
            assert bool(texts[marks]) == bool(standing.marks)
            assert texts[state]
        assert texts[told["score"][0][0]] == "units lost"
    assert texts[frames[4]["over"]].count("<") == texts[frames[4]["over"]].count(">")


def test_json_in_a_script_ends_no_script() -> None:
    hostile = {"</script>": "<!-- <script> & \u2028"}
    assert not re.search("[<>&\u2028]", safe_json(hostile))
    assert json.loads(safe_json(hostile)) == hostile


def test_it_is_driven_by_buttons_keys_and_its_address(page: str) -> None:
    script = page[page.rindex("<script>") : page.rindex("</script>")]
    assert script.count("\n") <= 150
    for key in ("ArrowLeft", "ArrowRight", "Home", "End", '" "', "hashchange", "replaceState", "keydown"):
        assert key in script
    buttons = [attrs for _, attrs in Reader(page).named("button")]
    assert [attrs["id"] for attrs in buttons] == ["first", "back", "play", "forward", "last"]
    assert all(attrs["aria-keyshortcuts"] and attrs["type"] == "button" for attrs in buttons)
    ids = {attrs.get("id") for _, attrs in Reader(page).tags}
    assert set(re.findall(r'byId\("(\w+)"\)', script)) <= ids


def test_what_is_no_text_has_a_name(page: str) -> None:
    reader = Reader(page)
    pictures = [attrs for _, attrs in reader.named("svg") if attrs.get("role") == "img" and "xmlns" not in attrs]
    assert all(attrs["aria-label"] for attrs in pictures)
    assert [attrs["aria-label"] for _, attrs in reader.named("input")] == ["Step"]
    live = [attrs for _, attrs in reader.tags if attrs.get("aria-live") == "polite"]
    assert len(live) == 1
    assert all(attrs.get("scope") for _, attrs in reader.named("th"))


def test_on_paper_there_is_a_picture_of_every_turn_and_of_the_end(story: BoardStory, page: str) -> None:
    stills = [attrs for _, attrs in Reader(page).named("figure") if attrs.get("class") == "still"]
    assert len(stills) == len(turns_of(story)) + 1 == 6
    style = page[page.index("<style>") : page.index("</style>")]
    assert "@media print" in style
    assert ".player, .live { display: none; }" in style
    hidden = style.index(".js .still { display: none; }")
    assert style.rindex("@media", 0, hidden) == style.rindex("@media screen", 0, hidden)


def test_a_battle_over_before_it_began_has_a_page(story: BoardStory, asked: Question) -> None:
    short = replace(story, frames=story.frames[:1])
    reader = Checked(paged(short))
    assert (reader.open, reader.wrong) == ([], [])
    assert len([attrs for _, attrs in reader.named("figure") if attrs.get("class") == "still"]) == 1
    trial = trial_of(asked, told_on_board("Deployed", short, "Draw."), 0, 0)
    assert draw_replay(asked, trial, "pdf")[:5] == b"%PDF-"


def test_the_document_has_a_table_and_a_picture_of_every_turn(story: BoardStory) -> None:
    units, turns = board_sections(story)
    assert isinstance(units.blocks[1], Table)
    assert [row[0].text for row in units.blocks[1].rows] == [token.name for token in story.tokens]
    parts = [part for part in turns.blocks if isinstance(part, Section)]
    assert len(parts) == len(turns_of(story)) + 1
    assert all(sum(isinstance(block, Figure) for block in part.blocks) == 1 for part in parts)
    table = next(block for block in parts[1].blocks if isinstance(block, Table))
    assert [cell.text for cell in table.rows[0]] == ["4", "T1 Trooper", "jumps to E3", ""]
    assert table.note == "Afterwards: units lost 0 and 0; health left 14 and 15; rounds held 0 and 0."


def test_a_trial_on_a_board_is_drawn_in_both_formats(story: BoardStory, asked: Question) -> None:
    trial = trial_of(asked, told_on_board("Deployed", story, "Blue has won."), 17, 3)
    page = draw_replay(asked, trial, "html").decode()
    check_policy(page)
    assert "trial 17 of the simulation with seed 3" in page
    assert 'id="board"' in page
    assert squeeze(asked.kind.cannot_see[0]) in squeeze("".join(Reader(page).text))
    paper = draw_replay(asked, trial, "pdf")
    assert paper == draw_replay(asked, trial, "pdf")
    text = squeeze("".join(pdf_pages(paper)))
    for frame in story.frames[1:]:
        assert squeeze(frame.text) in text
    assert "Health left after each step" in {
        block.caption
        for part in replay_document(asked, trial).blocks
        if isinstance(part, Section)
        for block in part.blocks
        if isinstance(block, Figure)
    }


@pytest.mark.slow("test_a_battle_over_before_it_began_has_a_page")
def test_a_trial_without_a_board_is_drawn_as_before(asked: Question) -> None:
    from balance.reporting.page.html import render_html

    trial = replay(asked, trial=3, seed=1)
    page = draw_replay(asked, trial, "html").decode()
    assert page == render_html(replay_document(asked, trial))
    check_policy(page, "img-src data:")
