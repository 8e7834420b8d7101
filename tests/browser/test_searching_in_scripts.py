"""Scripts compare texts as the server and its database do."""

from pathlib import Path

import pytest

from tests.servers import ROOT
from tests.web.texts_as_typed import WRITTEN

pytestmark = pytest.mark.browser

MODULE = Path(ROOT) / "static" / "js" / "words.js"


def test_accents_case_and_apostrophes_do_not_count_in_scripts(windows, installation):
    page = windows.open()
    page.goto(f"{installation.base}/healthz")
    page.route("**/words.js", lambda route: route.fulfill(path=MODULE, content_type="text/javascript"))
    written = page.evaluate(
        """async (texts) => {
            document.documentElement.lang = "en";
            const { plain } = await import("/words.js");
            return texts.map(plain);
        }""",
        [text for text, _ in WRITTEN],
    )
    assert list(zip([text for text, _ in WRITTEN], written, strict=True)) == WRITTEN
