"""Where figures and tables stand on printed bills and days; for `make sweep`."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

# Of the figure alone: what comes after it in its cell is the letter of its tax rate.
ENDS = """(cells) => cells.map((cell) => {
    const figure = document.createRange();
    figure.selectNodeContents(cell.firstChild);
    return Math.round(figure.getBoundingClientRect().right);
})"""
LEFTS = "(all) => all.map((each) => Math.round(each.getBoundingClientRect().left))"


def test_all_figures_of_a_bill_on_a_sheet_end_at_one_edge(windows, installation, state_of, orders):
    orders.sit_down()
    order = orders.place(items=2)
    installation.shell(
        "from restaurant.models import OrderItem\n"
        f"for item, rate in zip(OrderItem.objects.filter(order='{order}'), ('13.5', '23')):\n"
        "    OrderItem.objects.filter(pk=item.pk).update(vat_rate=rate)"
    )
    page = windows.open(storage_state=state_of("manager"), viewport={"width": 800, "height": 1000})
    page.emulate_media(media="print")
    page.goto(f"{installation.base}/table/{orders.table}/bill?paper=a4")
    letters = page.locator(".bill-rate")
    assert letters.all_inner_texts() == ["A", "B"]
    assert len({each.bounding_box()["x"] for each in letters.all()}) == 1
    ends = page.locator(".bill-lines td:last-child, .bill-sums dd, .bill-taxes td:last-child").evaluate_all(ENDS)
    assert len(ends) == 6
    assert max(ends) - min(ends) <= 1
    # On a phone, the letters go with the table that explains them.
    page.emulate_media(media="screen")
    page.set_viewport_size({"width": 360, "height": 740})
    expect(letters.first).to_be_visible()
    page.get_by_text("VAT included: €").click()
    expect(letters.first).to_be_hidden()


def test_the_tables_of_a_day_stand_on_one_grid(installation, windows, state_of):
    staff = windows.open(storage_state=state_of("manager"), viewport={"width": 794, "height": 1123})
    staff.goto(f"{installation.base}/reports/restaurant/day")
    staff.emulate_media(media="print")
    tiles = staff.locator(".tiles").first.locator(".tile").evaluate_all(LEFTS)
    counts = staff.locator(".till-count dl > div:nth-child(-n + 4)").evaluate_all(LEFTS)
    assert staff.locator(".till-count dl > div:nth-child(n + 5)").evaluate_all(LEFTS) == tiles  # cards below cash
    panels = staff.locator(".panel:not(.panel-wide)").evaluate_all(LEFTS)
    assert tiles == counts
    assert panels == [tiles[0]] * 2 + [tiles[2]] * 2  # two below each other, twice
