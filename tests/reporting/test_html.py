from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

import pytest

from balance.answers.blocks.document import Block
from balance.reporting import Document, Paragraph, Section, Table, render_html, table
from balance.reporting.build import build_document
from balance.reporting.page.html import POLICY
from balance.study.run.folder import load_run
from tests.packaging.checkout import ROOT
from tests.reporting.demo import HOSTILE, hostile_section
from tests.reporting.policy import check_policy
from tests.reporting.reading import Reader


@pytest.fixture(scope="module")
def reader(page: str) -> Reader:
    return Reader(page)


@pytest.mark.slow("test_a_policy_names_what_is_inside_by_its_hash_and_forbids_the_rest")
def test_nothing_is_loaded_from_outside(reader: Reader) -> None:
    links = [value for _, attrs in reader.tags for key, value in attrs.items() if key in {"src", "href", "srcset"}]
    assert links
    assert all(link.startswith(("#", "data:image/svg+xml;base64,")) or link == "every-match-up.csv" for link in links)
    assert not reader.named("link", "iframe", "object", "embed", "base", "form")


@pytest.mark.slow("test_a_policy_names_what_is_inside_by_its_hash_and_forbids_the_rest")
def test_no_address_outside_the_text_of_the_document(page: str) -> None:
    plain = render_html(Document("t", "", (Paragraph("x"),)))
    assert "://" not in plain
    assert "url(" not in plain
    assert set(re.findall(r"[a-z]{2,8}://[\w./]+", page)) == {"https://example.test/x"}


def test_a_policy_names_what_is_inside_by_its_hash_and_forbids_the_rest(page: str) -> None:
    check_policy(page, "img-src data:")


def test_a_policy_lets_no_other_script_run(page: str) -> None:
    """The negative control: what somebody adds to the page or changes in its script is not what the policy names."""
    for changed in (
        page.replace("</main>", "<script>alert(1)</script></main>"),
        page.replace('"use strict";', '"use strict"; alert(1);'),
        page.replace("<h1>", '<h1 onclick="alert(1)">'),
        page.replace("<h1>", '<h1 style="color: red">'),
        page.replace('href="#main"', 'href="javascript:alert(1)"'),
    ):
        assert changed != page
        with pytest.raises(AssertionError):
            check_policy(changed, "img-src data:")


@pytest.mark.parametrize("name", [POLICY, "<script>alert(1)</script>", "<style>a</style>", "\r\n<script>\u2028"])
def test_no_name_changes_what_the_policy_allows(name: str) -> None:
    page = render_html(Document(name, name, (Section(name, "s", (Paragraph(name),)),), ((name, name),)))
    check_policy(page, "img-src data:")


def test_a_name_brings_in_no_tag(reader: Reader) -> None:
    harmless = Reader(render_html(Document("t", "", (Section("s", "s", (Paragraph("x"),)),))))
    scripts = [
        attrs for _, attrs in reader.named("script") if attrs != {"type": "application/json", "class": "numbers"}
    ]
    assert len(scripts) == len(harmless.named("script")) == 1
    assert not reader.named("tag")


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_title_stays_a_title(name: str) -> None:
    reader = Reader(render_html(Document(name, name, (hostile_section(),), ((name, name),))))
    assert "".join(reader.text).count(name) > 5
    assert len(reader.named("h1")) == 1


def test_headings_step_down_one_at_a_time(reader: Reader) -> None:
    levels = [int(tag[1]) for tag, _ in reader.named("h1", "h2", "h3", "h4", "h5", "h6")]
    assert levels.count(1) == 1
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


def test_language_title_skip_link_and_targets(reader: Reader) -> None:
    assert reader.named("html")[0][1]["lang"] == "en"
    ids = [attrs["id"] for _, attrs in reader.tags if attrs.get("id")]
    assert len(ids) == len(set(ids))
    targets = {attrs["href"][1:] for _, attrs in reader.named("a") if attrs["href"].startswith("#")}
    assert "main" in targets
    assert targets <= set(ids)


def test_every_table_has_a_caption_and_scoped_heads(reader: Reader) -> None:
    assert len(reader.named("caption")) == len(reader.named("table")) == 6
    assert all(attrs.get("scope") for _, attrs in reader.named("th"))


def test_every_picture_has_an_alt_text(reader: Reader) -> None:
    images = reader.named("img")
    assert len(images) == 5
    assert all(attrs["alt"] for _, attrs in images)


def test_numbers_sort_by_value_and_align_right() -> None:
    from balance.reporting import Column

    page = render_html(
        Document("t", "", (table(["Unit", Column("Cost", "right")], [["Nexus", ("1,024", 1024.0)]], "c"),))
    )
    assert '<td class="right" data-head="Cost" data-sort="1024"><bdi>1,024</bdi></td>' in page


def test_a_template_that_misses_a_name_fails() -> None:
    from jinja2 import StrictUndefined

    from balance.reporting.page.html import template

    assert template("report.html.j2").environment.undefined is StrictUndefined


def test_one_section_needs_no_contents() -> None:
    assert not Reader(render_html(Document("t", "", (Section("Only", "only", ()),)))).named("nav")


def test_sections_with_one_anchor_keep_apart() -> None:
    reader = Reader(
        render_html(Document("t", "", (Section("A", "x", ()), Section("B", "x", ()), Section("C", "main", ()))))
    )
    assert {attrs["id"] for _, attrs in reader.named("section")} == {"x", "x-2", "main-2"}


def test_what_is_wide_lies_in_a_box_that_scrolls(page: str) -> None:
    boxes = page.split('<div class="scroll"')
    assert not any(re.search("<table", part.rpartition("</div>")[2]) for part in boxes[:1])
    inside = [re.findall("<table", part[: part.index("</div>")]) for part in boxes[1:]]
    assert sum(map(len, inside)) == page.count("<table")
    assert len(re.findall('<div class="plot"><picture><source .*?<img class="fits"', page)) == page.count("<img")


def test_no_width_is_fixed_beyond_a_phone(page: str) -> None:
    style = page[page.index("<style>") : page.index("</style>")]
    pixels = {"px": 1.0, "rem": 16.0, "em": 16.0}
    found = re.findall(r"(?<![-(])\b(?:min-)?width: ?([\d.]+)(px|rem|em)", style)
    assert max(float(number) * pixels[unit] for number, unit in found) < 360
    assert {int(width) for width in re.findall(r'<source [^>]* width="(\d+)"', page)} == {341}
    assert ".picture img { display: block; max-width: 100%; height: auto; }" in style


@pytest.mark.parametrize("game", ["warforged", "battlelore", "edadh"])
def test_a_verdict_stands_beside_the_name(game: str) -> None:
    def tables(blocks: Iterable[Block]) -> Iterator[Table]:
        for block in blocks:
            yield from (
                tables(block.blocks) if isinstance(block, Section) else [block] if isinstance(block, Table) else []
            )

    heads = [
        [column.name for column in found.columns]
        for found in tables(build_document(load_run(ROOT / "reports" / game)).blocks)
    ]
    told = [names for names in heads if "Verdict" in names]  # in a setting, it stands beside the fair cost there
    beside = "Fair", "Over settings"
    places = [names.index("Verdict") for names in told if not names[names.index("Verdict") - 1].startswith(beside)]
    assert places == [1] * len(places)
    assert places or game != "warforged"


def test_only_a_map_of_very_many_rows_scrolls_up_and_down(page: str) -> None:
    style = page[page.index("<style>") : page.index("</style>")].splitlines()
    assert [line.partition(" {")[0] for line in style if "max-height: 85vh" in line] == [".dense .scroll"]
