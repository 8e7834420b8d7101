"""A location's check-in code as a browser prints it, read back from a rendering of the paper."""

import pypdfium2
import pytest

from tests import decoder

pytestmark = pytest.mark.browser

DOTS = 8  # a millimetre, in the rendering
MILLIMETRES = 25.4 / 72  # of a PDF's point


@pytest.mark.parametrize(("layout", "places", "least"), [("page", 1, 95), ("card", 4, 50), ("tent", 4, 40)])
def test_every_check_in_code_on_a_sheet_leads_to_the_location(installation, windows, state_of, layout, places, least):
    code = "from loyalty.models import Location; each = Location.objects.first(); print(each.pk, each.short_url)"
    location, short_url = installation.shell(code).split()[-2:]
    staff = windows.open(storage_state=state_of("manager"), color_scheme="dark")
    staff.goto(f"{installation.base}/locations/{location}/print?layout={layout}", wait_until="networkidle")
    [sheet] = pypdfium2.PdfDocument(staff.pdf(prefer_css_page_size=True))
    pixels = sheet.render(scale=DOTS * MILLIMETRES, grayscale=True).to_numpy().squeeze()
    height, width = (side // 2 if places == 4 else side for side in pixels.shape)
    for number in range(places):
        y, x = number // 2 * height, number % 2 * width
        text, edge = decoder.read_and_measure(pixels[y : y + height, x : x + width])
        assert text.rpartition("/")[2] == short_url.rpartition("/")[2].upper()
        assert text.startswith(f"{installation.base}/q/".upper())
        assert edge / DOTS >= least
