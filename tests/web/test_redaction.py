"""Words are replaced in texts and JSON, whatever their case, a part of the rows at a time."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from qrservice.models import Code
from qrservice.services import codes
from web import redaction

pytestmark = pytest.mark.django_db


def make_code(target: str, **metadata) -> Code:
    return codes.create(account=codes.built_in_account(), redirect_url=target, metadata=metadata)


@pytest.mark.parametrize(
    "word", ["Ada Lovelace", 'Ada "Countess" L', "a.b+c*d|e(f)[g]^$", "back\\slash", "Ünïcode", "tab\there"]
)
def test_a_word_is_found_in_text_and_in_json(word):
    code = make_code("https://example.com", note=f"for {word.upper()}.", list=[word, {"x": 1}])
    Code.objects.update(redirect_url=f"https://example.com/{word}?")
    redaction.redact(Code.objects.all(), "redirect_url", "metadata", words=[word])
    code.refresh_from_db()
    assert code.redirect_url == "https://example.com/…?"
    assert code.metadata == {"note": "for ….", "list": ["…", {"x": 1}]}


def test_what_looks_like_a_pattern_matches_itself_alone():
    code = make_code("https://example.com/ab", note="axb")
    redaction.redact(Code.objects.all(), "redirect_url", "metadata", words=["a.b", "a*b", ""])
    code.refresh_from_db()
    assert (code.redirect_url, code.metadata) == ("https://example.com/ab", {"note": "axb"})


def test_the_rows_are_looked_through_a_part_at_a_time(monkeypatch):
    monkeypatch.setattr(redaction, "BATCH", 3)
    for number in range(7):
        make_code(f"https://example.com/ada{number}")
    kept = make_code("https://example.com/bea")
    with CaptureQueriesContext(connection) as queries:
        redaction.redact(Code.objects.all(), "redirect_url", words=["ada"])
    assert sum(query["sql"].startswith("UPDATE") for query in queries) == 3
    assert not Code.objects.filter(redirect_url__contains="ada").exists()
    kept.refresh_from_db()
    assert kept.redirect_url == "https://example.com/bea"
