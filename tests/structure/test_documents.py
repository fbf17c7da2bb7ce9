"""The documents name files that are there, their links lead somewhere, and their lines are short."""

from pathlib import Path

import pytest

from hakmem_house import documents
from hakmem_house.documents import Document

ALL = documents.read(Path(__file__).resolve().parents[2])
MARKDOWN = [document for document in ALL if document.path.endswith(".md")]
by_path = {"ids": lambda document: document.path}


def hold(wrong):
    """Fails with the places, one a line."""
    if wrong:
        pytest.fail("\n".join(wrong), pytrace=False)


@pytest.mark.parametrize("document", MARKDOWN, **by_path)
def test_links_lead_to_files_that_exist(document):
    hold(document.dead_links())


@pytest.mark.parametrize("document", MARKDOWN, **by_path)
def test_links_lead_to_headings_that_exist(document):
    hold(document.dead_anchors())


@pytest.mark.parametrize("document", ALL, **by_path)
def test_names_of_files_exist(document):
    hold(document.missing_names())


@pytest.mark.parametrize("document", MARKDOWN, **by_path)
def test_lines_are_short(document):
    hold(document.long_lines())


# ---- the reader of documents itself ----


@pytest.fixture
def written(tmp_path):
    """A small tree with a document of this text."""

    def write(text, name="docs/page.md"):
        for path in ("docs/other.md", "src/warm/heap.c", "tests/bugs/plants.py", "build/made.c"):
            file = tmp_path / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("# First heading\n\n## A `code` thing, twice\n\n## A code thing, twice\n")
        (tmp_path / name).write_text(text)
        return Document(tmp_path, name)

    return write


def test_a_dead_link(written):
    page = written("# Page\n\nSee [one](other.md), [two](gone.md)\nand ![three](../docs/gone.svg).\n")
    assert page.dead_links() == [
        "docs/page.md:3: the link to gone.md leads nowhere: docs/gone.md does not exist",
        "docs/page.md:4: the link to ../docs/gone.svg leads nowhere: docs/gone.svg does not exist",
    ]


def test_links_elsewhere_are_left_alone(written):
    page = written(
        "# Page\n\n[a](https://example.org/gone.md) <https://example.org> [b](mailto:x@example.org) [c](#page)\n"
    )
    assert page.dead_links() == page.dead_anchors() == []


def test_links_in_html_count(written):
    assert len(written('<p>\n<img src="gone.svg"> <a href="other.md">it</a>\n</p>\n').dead_links()) == 1


@pytest.mark.parametrize("anchor", ["first-heading", "a-code-thing-twice", "a-code-thing-twice-1"])
def test_an_anchor_that_is_there(written, anchor):
    assert written(f"[it](other.md#{anchor})\n").dead_anchors() == []


def test_an_anchor_that_is_not(written):
    page = written("# Page\n\n[it](other.md#second-heading) and [here](#pages) and [there](#page)\n")
    assert page.dead_anchors() == [
        "docs/page.md:3: docs/other.md has no heading for #second-heading",
        "docs/page.md:3: docs/page.md has no heading for #pages",
    ]


@pytest.mark.parametrize(
    "name",
    [
        "src/warm/heap.c",
        "warm/heap.c",
        "heap.c",
        "src/warm",
        "src/warm/",
        "src/warm/heap.c:12",
        "tests/bugs/plants.py -x",
        "build/anything.c",
        "~/.cache/peers/x.c",
        "/usr/include/stdio.h",
        "src/<floor>/<box>.h",
        "src/*/*.h",
        "malloc/free",
        "hak_malloc.x",
    ],
)
def test_a_name_that_is_right_or_none_of_ours(written, name):
    assert written(f"`{name}`\n").missing_names() == []


@pytest.mark.parametrize("name", ["src/warm/gone.c", "warm/gone.c", "gone.c", "src/gone", "made.c", "gone/gone.py"])
def test_a_name_that_is_not_there(written, name):
    page = written(f"# Page\n\nA line,\nand `{name}`.\n")
    assert page.missing_names() == [f"docs/page.md:4: {name} does not exist: give the name that it has now"]


def test_a_name_within_a_command(written):
    assert len(written("`pytest tests/gone --update`, `./tests/gone/x -v`\n").missing_names()) == 2


def test_a_name_in_a_manual_page(written):
    page = written(".Pa src/warm/heap.c\n.Pa libhakmem.so ,\n.Pa docs/gone.md\nSee Pa src/gone.c\n", "docs/hakmem.3")
    assert [wrong.split(": ")[1] for wrong in page.missing_names()] == [
        "docs/gone.md does not exist",
        "src/gone.c does not exist",
    ]


LONG = "word " * 21


@pytest.mark.parametrize("text", [LONG, f"- {LONG}", f"{LONG[:90]} [a link](https://example.org/page)"])
def test_a_line_that_is_too_long(written, text):
    assert written(f"# Page\n\n{text}\n").long_lines() == [
        f"docs/page.md:3: has {len(text)} columns, more than 100: break it"
    ]


@pytest.mark.parametrize(
    "text",
    [
        LONG[:100],
        f"| a | b |\n|---|---|\n| {LONG} | {LONG} |",
        f"```sh\n{LONG}\n```",
        f"    {LONG}",
        f"![{LONG}](picture.svg)",
        f"- [a long link](https://example.org/{'x' * 100})",
        f"<!-- {LONG} -->",
    ],
)
def test_a_line_that_may_be_as_long_as_it_is(written, text):
    assert written(f"# Page\n\n{text}\n").long_lines() == []
