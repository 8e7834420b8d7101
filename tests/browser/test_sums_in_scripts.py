"""Scripts write sums as the server does, in other languages and currencies too."""

import pytest
from babel.numbers import format_currency

from tests.servers import ROOT

pytestmark = pytest.mark.browser

WHOLE = [0, 7, 450, 1200, 123_456]
WITH_CENTS = [0.5, 4.5, 13.5, 999.99, 1234.5, 123_456.78]
PLACES = [
    ("en", "EUR"), ("en", "KWD"), ("de", "EUR"), ("de_CH", "CHF"), ("fr", "EUR"), ("it", "EUR"), ("es", "EUR"),
    ("nl", "EUR"), ("pt_BR", "BRL"), ("pl", "PLN"), ("sv", "SEK"), ("tr", "TRY"), ("hi", "INR"), ("he", "ILS"),
]  # fmt: skip
WITHOUT_CENTS = [("en", "JPY"), ("ja", "JPY"), ("ko", "KRW")]


def test_sums_are_those_of_the_server(windows):
    page = windows.open()
    cases = [(place, WHOLE + WITH_CENTS) for place in PLACES] + [(place, WHOLE) for place in WITHOUT_CENTS]
    for (language, currency), sums in cases:
        sample = format_currency(1234567890.12, currency, locale=language)
        page.set_content(f"<html data-money='{sample}'></html>")
        page.add_script_tag(path=ROOT / "static" / "js" / "money.js")
        expected = [format_currency(each, currency, locale=language) for each in sums]
        assert page.evaluate("(sums) => sums.map(money)", sums) == expected
    assert windows.complaints == []
