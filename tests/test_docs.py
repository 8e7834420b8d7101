"""The documentation names what exists: files, headings, settings, commands and make targets."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from django.core.management import get_commands

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
PACKAGES = ("config", "deploy", "loyalty", "qrservice", "restaurant", "static", "templates", "tests", "web")
LINK = re.compile(r"\]\(([^)\s]+)\)")
CODE = re.compile(r"`([^`\n]+)`")
# `"Check-in" in docs/behaviour/loyalty.md`, or several headings; perhaps over the end of a comment's line.
POINTER = re.compile(r'((?:"[^"]+"(?:,| and)? )+)in (docs/[\w/-]+\.md)')


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
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


def named_in(pattern: re.Pattern[str]) -> Iterator[tuple[Path, str]]:
    for document in DOCUMENTS:
        yield from ((document, name) for name in pattern.findall(text_of(document)))


def test_every_relative_link_leads_somewhere():
    broken = []
    for document, link in named_in(LINK):
        name, _, fragment = link.partition("#")
        target = document.parent / name if name else document
        if "://" in link or (target.exists() and (not fragment or fragment in map(anchor, headings(target)))):
            continue
        broken.append((document.name, link))
    assert broken == []


def test_every_path_of_the_repository_exists():
    missing = []
    for document, name in named_in(CODE):
        if re.fullmatch(r"[\w./-]+", name) and "/" in name and name.split("/")[0] in {*PACKAGES, "docs"}:
            there = (ROOT / name).exists()
        elif re.fullmatch(r"[\w.-]+\.(md|toml|txt)|Makefile", name):
            there = (ROOT / name).exists() or (ROOT / "docs" / name).exists()
        else:
            continue
        missing += [(document.name, name)] * (not there)
    assert missing == []


def test_every_heading_that_the_code_names_exists():
    named = [(path, *pointer) for path in sources() for pointer in pointers(path)]
    missing = [f"{path.relative_to(ROOT)}: {name}" for path, name, file in named if name not in headings(ROOT / file)]
    assert missing == []


def test_headings_are_unique_so_that_code_can_name_them():
    behaviour = sorted((ROOT / "docs" / "behaviour").glob("*.md"))
    named = [heading for document in behaviour for heading in headings(document)]
    assert sorted(set(named)) == sorted(named) != []


def test_every_setting_is_documented_and_every_documented_one_is_read():
    settings = "".join(text_of(ROOT / "config" / name) for name in ("settings.py", "databases.py"))
    read = set(
        re.findall(
            r'(?:env\.\w+|whole|yes_or_no|rate|address|hosts|sender|mail|push_services|django_cache)\(\s*"([A-Z_]+)"',
            settings,
        )
    )
    rows = re.findall(r"^\| (`[A-Z_`, ]+`) \|", text_of(ROOT / "docs" / "configuration.md"), re.MULTILINE)
    documented = {name for row in rows for name in re.findall(r"[A-Z_]+", row)}
    assert read == documented


def test_every_command_and_make_target_exists():
    commands = {name for _, name in named_in(re.compile(r"manage\.py ([a-z_]+)"))}
    assert commands - set(get_commands()) == set()
    targets = set(re.findall(r"^([\w-]+):", text_of(ROOT / "Makefile"), re.MULTILINE))
    assert {name for _, name in named_in(re.compile(r"(?:^    |`)make ([\w-]+)", re.MULTILINE))} - targets == set()
