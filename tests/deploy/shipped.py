"""What deploy/ contains, read for tests."""

import os
import runpy
from pathlib import Path
from typing import Any
from unittest.mock import patch

import yaml

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"


def text(name: str) -> str:
    return (DEPLOY / name).read_text(encoding="utf-8")


def example() -> dict[str, str]:
    """The lines of env.example."""
    lines = [line for line in text("env.example").splitlines() if line and not line.startswith("#")]
    return dict(line.split("=", 1) for line in lines)


def environment() -> dict[str, str]:
    """env.example as somebody would have filled it in: with a key and a password."""
    key = "a-random-text-of-more-than-fifty-different-characters-0123456789"
    return example() | {"SECRET_KEY": key, "POSTGRES_PASSWORD": "a-password"}


def settings_of(**own: str) -> dict[str, Any]:
    """The project's settings as such an installation would have them, with these variables."""
    given = environment() | {"DATABASE_URL": "postgresql:///x"} | own
    with patch.dict(os.environ, given):
        return runpy.run_path(str(DEPLOY.parent / "config" / "settings.py"))


def compose() -> dict:
    return yaml.safe_load(text("compose.yaml"))


def container_instructions(keyword: str) -> list[str]:
    """The arguments of each instruction of the Containerfile with this keyword."""
    joined = text("Containerfile").replace("\\\n", " ")
    return [line.removeprefix(f"{keyword} ").strip() for line in joined.splitlines() if line.startswith(f"{keyword} ")]
