"""Whatever is combined, the lines, the rates and the parts of a bill add up to its total."""

from decimal import Decimal
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from restaurant.billing.sums import (
    COMP,
    DISCOUNT,
    SERVICE,
    Change,
    Entry,
    Sums,
    divide,
    in_equal_parts,
    sums_of,
)

UNITS = st.sampled_from([Decimal(1), Decimal("0.01"), Decimal("0.001")])
RATES = st.sampled_from([None, Decimal(7), Decimal(19), Decimal("8.1")])


@st.composite
def bills(draw) -> tuple[list[Entry], list[Change], Decimal]:
    unit = draw(UNITS)
    entries = [
        Entry(key, draw(st.integers(0, 9000)) * unit, draw(st.integers(1, 5)), draw(RATES))
        for key in range(draw(st.integers(0, 8)))
    ]
    changes = []
    for number in range(draw(st.integers(0, 5))):
        kind = draw(st.sampled_from([COMP, DISCOUNT, SERVICE]))
        chosen = {entry.key: draw(st.integers(1, entry.quantity)) for entry in entries if draw(st.booleans())}
        of_items = kind == COMP or (kind == DISCOUNT and draw(st.booleans()))
        percent = amount = None
        if kind != COMP and draw(st.booleans()):
            percent = Decimal(draw(st.integers(1, 10_000))) / 100
        elif kind != COMP:
            amount = draw(st.integers(1, 20_000)) * unit
        rate = draw(RATES) if kind == SERVICE else None
        changes.append(Change(f"change {number}", kind, percent, amount, chosen if of_items else None, rate))
    return entries, changes, unit


@st.composite
def divided_bills(draw) -> tuple[list[Entry], list[Change], Decimal, dict[str, dict[int, Fraction]]]:
    entries, changes, unit = draw(bills())
    parts = [f"part {number}" for number in range(draw(st.integers(1, 6)))]
    claims: dict[str, dict[int, Fraction]] = {part: {} for part in parts}
    for entry in entries:
        weights = draw(st.lists(st.integers(0, 3), min_size=len(parts), max_size=len(parts)).filter(any))
        for part, weight in zip(parts, weights, strict=True):
            claims[part][entry.key] = Fraction(weight, sum(weights))
    return entries, changes, unit, claims


def _at(sums: Sums, rate: Decimal) -> tuple[Decimal, Decimal]:
    tax = next((tax for tax in sums.taxes if tax.rate == rate), None)
    return (tax.gross, tax.tax) if tax else (Decimal(0), Decimal(0))


@given(bills())
def test_lines_changes_and_rates_add_up_to_the_total_and_nothing_is_below_zero(bill):
    entries, changes, unit = bill
    sums = sums_of(entries, changes, unit=unit)
    assert sums.subtotal == sum((entry.total for entry in entries), Decimal(0))
    assert sums.total == sums.subtotal + sum(sums.amounts.values())
    service = sum(sums.amounts[change.key] for change in changes if change.kind == SERVICE)
    assert sum(sums.lines.values()) + service == sums.total
    assert min([sums.total, *sums.lines.values()]) >= 0
    assert all(sum(rates.values()) == sums.amounts[key] for key, rates in sums.amounts_at.items())
    if all(entry.rate is not None for entry in entries):
        assert sum(tax.gross for tax in sums.taxes) == sums.total


@given(divided_bills())
def test_parts_add_up_to_the_bill_and_at_every_rate_too(bill):
    entries, changes, unit, claims = bill
    whole, parts = sums_of(entries, changes, unit=unit), divide(entries, changes, claims, unit=unit)
    assert sum(part.total for part in parts.values()) == whole.total
    assert sum(part.subtotal for part in parts.values()) == whole.subtotal
    for change in changes:
        assert sum(part.amounts[change.key] for part in parts.values()) == whole.amounts[change.key]
    for tax in whole.taxes:
        found = [_at(part, tax.rate) for part in parts.values()]
        assert (sum(gross for gross, _tax in found), sum(each for _gross, each in found)) == (tax.gross, tax.tax)


@given(bills(), st.integers(1, 9))
def test_equal_parts_differ_by_the_smallest_coin_at_most(bill, people):
    entries, changes, unit = bill
    claims = {part: {entry.key: Fraction(1, people) for entry in entries} for part in range(people)}
    totals = [part.total for part in divide(entries, changes, claims, unit=unit).values()]
    assert max(totals) - min(totals) <= unit


def test_a_thousand_yen_by_three_is_334_and_twice_333():
    assert in_equal_parts(Decimal(1000), 3, unit=Decimal(1)) == [334, 333, 333]


def test_what_is_on_the_house_comes_before_discounts_of_dishes_those_of_the_bill_and_service():
    entries = [Entry("soup", Decimal("10.00"), 2, Decimal(10)), Entry("wine", Decimal("30.00"), 1, Decimal(20))]
    changes = [
        Change("service", SERVICE, percent=Decimal(10), rate=Decimal(20)),
        Change("five off", DISCOUNT, amount=Decimal("5.00")),
        Change("tenth", DISCOUNT, percent=Decimal(10)),
        Change("half of the wine", DISCOUNT, percent=Decimal(50), quantities={"wine": 1}),
        Change("a soup", COMP, quantities={"soup": 1}),
    ]
    sums = sums_of(entries, changes, unit=Decimal("0.01"))
    # 50 - 10 (a soup) - 15 (the wine) = 25; a tenth is 2.50, then 5 off: 17.50; service on that: 1.75.
    assert {name: str(amount) for name, amount in sums.amounts.items()} == {
        "service": "1.75",
        "five off": "-5.00",
        "tenth": "-2.50",
        "half of the wine": "-15.00",
        "a soup": "-10.00",
    }
    assert sums.total == Decimal("19.25")
