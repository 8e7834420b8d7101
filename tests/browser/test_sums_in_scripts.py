"""Scripts write sums as the server does, in other languages and currencies too."""

from pathlib import Path

import pytest

from tests.servers import ROOT
from web.templatetags.money import in_currency

pytestmark = pytest.mark.browser

WHOLE = [0, 7, 450, 1200, 123_456]
WITH_CENTS = [0.5, 4.5, 13.5, 999.99, 1234.5, 123_456.78]
PLACES = [
    ("en", "EUR"), ("en", "KWD"), ("fr", "TND"), ("de", "EUR"), ("de_CH", "CHF"), ("fr", "EUR"), ("es", "EUR"),
    ("it", "EUR"), ("nl", "EUR"), ("pt_BR", "BRL"), ("pl", "PLN"), ("sv", "SEK"), ("tr", "TRY"),
    ("hi", "INR"), ("he", "ILS"),
]  # fmt: skip
WITHOUT_CENTS = [("en", "JPY"), ("ja", "JPY"), ("ko", "KRW")]
MODULE = Path(ROOT) / "static" / "js" / "money.js"
WRITE = """async ([sample, sums]) => {
    document.documentElement.dataset.money = sample;
    const { moneyOfCents, toCents } = await import(`/money.js?${encodeURIComponent(sample)}`);
    return sums.map((sum) => moneyOfCents(toCents(sum)));
}"""


def test_sums_are_those_of_the_server(windows, installation):
    """The module is loaded again for each sample of how the server writes."""
    page = windows.open()
    page.goto(f"{installation.base}/healthz")
    page.route("**/money.js?*", lambda route: route.fulfill(path=MODULE, content_type="text/javascript"))
    wrong = []
    for language, currency in PLACES + WITHOUT_CENTS:
        sums = WHOLE if (language, currency) in WITHOUT_CENTS else WHOLE + WITH_CENTS
        sample = in_currency(1234567890.12, currency, locale=language)
        expected = [in_currency(each, currency, locale=language) for each in sums]
        if (written := page.evaluate(WRITE, [sample, sums])) != expected:
            wrong.append((language, currency, written, expected))
    assert wrong == []
    assert windows.complaints == []
