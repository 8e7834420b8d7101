"""The words of code and templates, as `manage.py messages` finds them."""

from pathlib import Path

import pytest
from django.core.management.base import CommandError

from config.management.commands.messages import extracted


def written(folder: Path, **templates: str) -> Path:
    (folder / "templates").mkdir()
    for name, text in templates.items():
        (folder / "templates" / f"{name}.html").write_text(text)
    return folder


def test_a_message_is_not_both_alone_and_the_singular_of_a_plural(tmp_path):
    plural = "{% blocktranslate count count=seats %}1 seat{% plural %}{{ count }} seats{% endblocktranslate %}"
    with pytest.raises(CommandError, match="1 seat"):
        extracted(written(tmp_path, floor=plural, plan='{% translate "1 seat" %}'))


def test_with_a_context_it_is_another_message(tmp_path):
    plural = "{% blocktranslate count count=seats %}1 seat{% plural %}{{ count }} seats{% endblocktranslate %}"
    found = extracted(written(tmp_path, floor=plural, plan='{% translate "1 seat" context "a chair" %}'))
    assert [message.context for message in found if message.id] == [None, "a chair"]
