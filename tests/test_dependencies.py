"""docs/dependencies.md has a row for each direct requirement and each script of others, with its version."""

import re
from importlib.metadata import metadata, version

from tests.servers import ROOT

FILES = ["requirements.txt", "tests/requirements.txt"]
PIN = re.compile(r"^([\w.-]+)(?:\[\w+\])?==(\S+)", re.MULTILINE)
ROW = re.compile(r"^\| ([\w.-]+) \| (\d\S*) \| (.+?) \| (.+?) \| (\S+) \|$", re.MULTILINE)


def direct(file: str) -> dict[str, str]:
    """What is pinned, without what those need in turn."""
    return dict(PIN.findall((ROOT / file).read_text().partition("# What the above need")[0]))


def rows() -> dict[str, tuple[str, ...]]:
    """Version, purpose, licence and latest release, by name."""
    return {name: rest for name, *rest in ROW.findall((ROOT / "docs" / "dependencies.md").read_text())}


def scripts() -> dict[str, str]:
    """Versions of scripts by others, which are in their names."""
    names = [path.stem for path in (ROOT / "static" / "vendor").rglob("*.js")]
    return dict(re.findall(r"^(\w+)-(\d+\.\d+\.\d+)", "\n".join(names), re.MULTILINE))


def test_every_direct_requirement_has_a_row_with_its_version_and_every_row_is_one():
    pinned = {name: pin for file in FILES for name, pin in direct(file).items()}
    assert len(pinned) > 40
    assert {name: rest[0] for name, rest in rows().items()} == pinned | scripts()


def test_what_is_installed_is_what_is_pinned():
    pinned = {name: pin for file in FILES for name, pin in PIN.findall((ROOT / file).read_text())}
    assert {name: version(name) for name in pinned} == pinned


def test_every_row_says_why_and_under_which_licence():
    for name, (_, purpose, licence, *_rest) in rows().items():
        assert len(purpose) > 5, name
        assert re.search(r"MIT|BSD|Apache|PSF|MPL|LGPL|Unlicense", licence), name
        expression = None if name in scripts() else metadata(name).get("License-Expression")
        assert expression is None or expression in licence, name
