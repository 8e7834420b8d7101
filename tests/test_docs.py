"""The documentation names what exists: files, headings, settings, commands and make targets."""

import re
from pathlib import Path

import pytest
from django.core.management import get_commands

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
PACKAGES = ("config", "deploy", "loyalty", "qrservice", "restaurant", "static", "templates", "tests", "web")
LINK = re.compile(r"\]\(([^)\s]+)\)")
CODE = re.compile(r"`([^`\n]+)`")
# `"Check-in" in docs/behaviour.md`, or several headings; perhaps over the end of a comment's line.
POINTER = re.compile(r'((?:"[^"]+"(?:,| and)? )+)in (docs/\w+\.md)')


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def headings(path: Path) -> list[str]:
    return re.findall(r"^#+ (.+)$", text_of(path), re.MULTILINE)


def anchor(heading: str) -> str:
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def sources() -> list[Path]:
    endings = {".py", ".html", ".js", ".css"}
    return [path for name in PACKAGES for path in (ROOT / name).rglob("*") if path.suffix in endings]


def pointers(path: Path) -> list[tuple[str, str]]:
    """The headings that a source file names, each with its document."""
    flat = re.sub(r"\s*\n\s*(?:#|//|\*)?\s*", " ", text_of(path))
    return [(name, document) for names, document in POINTER.findall(flat) for name in re.findall(r'"([^"]+)"', names)]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_relative_link_leads_somewhere(document):
    broken = []
    for link in LINK.findall(text_of(document)):
        if "://" in link:
            continue
        name, _, fragment = link.partition("#")
        target = document.parent / name if name else document
        if not target.exists() or (fragment and fragment not in map(anchor, headings(target))):
            broken.append(link)
    assert broken == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_path_of_the_repository_exists(document):
    names = [name for name in CODE.findall(text_of(document)) if re.fullmatch(r"[\w./-]+", name)]
    paths = [name for name in names if name.split("/")[0] in {*PACKAGES, "docs"} and "/" in name]
    files = [name for name in names if re.fullmatch(r"[\w.-]+\.(md|toml|txt)|Makefile", name)]
    assert [name for name in paths if not (ROOT / name).exists()] == []
    assert [name for name in files if not ((ROOT / name).exists() or (ROOT / "docs" / name).exists())] == []


def test_every_heading_that_the_code_names_exists():
    named = [(path, *pointer) for path in sources() for pointer in pointers(path)]
    missing = [f"{path.relative_to(ROOT)}: {name}" for path, name, file in named if name not in headings(ROOT / file)]
    assert missing == []


def test_headings_are_unique_so_that_code_can_name_them():
    found = headings(ROOT / "docs" / "behaviour.md")
    assert len(found) == len(set(found))


def test_every_setting_is_documented_and_every_documented_one_is_read():
    settings = "".join(text_of(ROOT / "config" / name) for name in ("settings.py", "databases.py"))
    read = set(
        re.findall(
            r'(?:env\.\w+|whole|yes_or_no|rate|address|hosts|sender|mail|django_cache)\(\s*"([A-Z_]+)"', settings
        )
    )
    rows = re.findall(r"^\| (`[A-Z_`, ]+`) \|", text_of(ROOT / "docs" / "configuration.md"), re.MULTILINE)
    documented = {name for row in rows for name in re.findall(r"[A-Z_]+", row)}
    assert read == documented


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_command_and_make_target_exists(document):
    text = text_of(document)
    commands = set(re.findall(r"manage\.py ([a-z_]+)", text))
    assert commands <= set(get_commands())
    targets = set(re.findall(r"^([\w-]+):", text_of(ROOT / "Makefile"), re.MULTILINE))
    assert set(re.findall(r"(?:^    |`)make ([\w-]+)", text, re.MULTILINE)) <= targets
