"""What a bill comes to, from its entries and what changes them: sums that agree to the smallest coin.

Pure functions of plain values. Whatever is combined, the lines, the rates and the parts of a bill add up to its total.
"""

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from math import floor

COMP, DISCOUNT, SERVICE = "comp", "discount", "service"
Key = Hashable
Rate = Decimal | None  # percent; None for what has none


@dataclass(frozen=True, slots=True)
class Entry:
    """What was ordered at one price, without what is cancelled."""

    key: Key
    price: Decimal
    quantity: int
    rate: Rate = None

    @property
    def total(self) -> Decimal:
        return self.price * self.quantity


@dataclass(frozen=True, slots=True)
class Change:
    """A discount, something on the house, or a charge for service: in percent, or an amount.

    `quantities` are those of the entries that it applies to; None for the whole bill. Service is taxed at `rate`, and
    without one like the dishes.
    """

    key: Key
    kind: str
    percent: Decimal | None = None
    amount: Decimal | None = None
    quantities: Mapping[Key, int] | None = None
    rate: Rate = None


@dataclass(frozen=True, slots=True)
class Tax:
    """The sum that is taxed at one rate. `gross` includes the tax."""

    rate: Decimal
    gross: Decimal
    tax: Decimal

    @classmethod
    def of(cls, rate: Decimal, gross: Decimal, unit: Decimal) -> "Tax":
        return cls(rate, gross, (gross * rate / (100 + rate)).quantize(unit, ROUND_HALF_UP))

    @property
    def net(self) -> Decimal:
        return self.gross - self.tax


@dataclass(frozen=True, slots=True)
class Sums:
    """A bill or a part of it. `lines` are what is left of the entries, `amounts` what each change made of the bill."""

    subtotal: Decimal
    gross: Mapping[Key, Decimal]  # of each entry, before what changes the bill
    lines: Mapping[Key, Decimal]
    amounts: Mapping[Key, Decimal]  # below zero where it takes something off
    amounts_at: Mapping[Key, Mapping[Rate, Decimal]]  # the same, of the sum at each rate
    taxes: list[Tax]  # one for each rate, the lowest first
    total: Decimal


@dataclass(slots=True)
class _Ledger:
    """Whole numbers of the smallest coin: what is left of each entry, and what each change took off or added to it."""

    unit: Decimal
    entries: Sequence[Entry]
    changes: Sequence[Change]
    left: dict[Key, int] = field(default_factory=dict)
    moved: dict[Key, dict[Key, int]] = field(default_factory=lambda: defaultdict(dict))  # by change and entry

    def amount(self, coins: int) -> Decimal:
        return coins * self.unit

    def coins(self, amount: Decimal) -> int:
        return int((amount / self.unit).to_integral_value(ROUND_HALF_UP))


def sums_of(entries: Sequence[Entry], changes: Sequence[Change] = (), *, unit: Decimal) -> Sums:
    """Apply what is on the house, then discounts of entries, discounts of the bill, and service, to these entries."""
    return _sums(_ledger(entries, changes, unit))


def divide(
    entries: Sequence[Entry],
    changes: Sequence[Change],
    claims: Mapping[Key, Mapping[Key, Fraction]],
    *,
    unit: Decimal,
) -> dict[Key, Sums]:
    """Divide a bill. `claims` has for each part the fraction of each entry; those of one entry add up to one."""
    ledger = _ledger(entries, changes, unit)
    parts = {
        part: _Ledger(unit, [entry for entry in entries if own.get(entry.key)], changes) for part, own in claims.items()
    }
    owed = [Fraction(0) for _part in parts]
    # By rate, so that what is rounded for one entry is made up for by the next one of the same rate.
    for entry in sorted(entries, key=lambda each: (each.rate is None, each.rate or 0)):
        weights = [own.get(entry.key, Fraction(0)) for own in claims.values()]
        for its, coins in zip(parts.values(), _spread(ledger.left[entry.key], weights, owed), strict=True):
            its.left[entry.key] = coins
        for change in changes:
            moved = ledger.moved[change.key].get(entry.key, 0)
            spread = _spread(abs(moved), weights, owed if change.kind == SERVICE else None)
            for its, coins in zip(parts.values(), spread, strict=True):
                its.moved[change.key][entry.key] = coins if moved >= 0 else -coins
    return _with_taxes_of(_sums(ledger), {part: _sums(its) for part, its in parts.items()}, unit)


def credited(due: Decimal, parts: Sequence[tuple[Decimal, Decimal]], *, unit: Decimal) -> list[Decimal]:
    """Return what is due of each part, from its total and what was paid for it; together it is `due`.

    What was paid without naming a part, or too much for one, is taken off the others.
    """
    weights = [Fraction(max(total - paid, Decimal(0))) for total, paid in parts]
    return [coins * unit for coins in _spread(int(due / unit), weights)]


def in_equal_parts(amount: Decimal, people: int, *, unit: Decimal) -> list[Decimal]:
    """Return what each of the people pays, who pays more first: 10.00 by 3 is 3.34, 3.33, 3.33."""
    return [coins * unit for coins in _spread(int(amount / unit), [Fraction(1)] * people)]


def _ledger(entries: Sequence[Entry], changes: Sequence[Change], unit: Decimal) -> _Ledger:
    ledger = _Ledger(unit, entries, changes)
    ledger.left = {entry.key: ledger.coins(entry.total) for entry in entries}
    comped: dict[Key, int] = defaultdict(int)
    for change in changes:
        if change.kind == COMP:
            _comp(ledger, change, comped)
    for of_bill in (False, True):
        discounts = [each for each in changes if each.kind == DISCOUNT and (each.quantities is None) is of_bill]
        for change in sorted(discounts, key=lambda each: each.percent is None):
            _discount(ledger, change, comped)
    goods = dict(ledger.left)
    for change in changes:
        if change.kind == SERVICE:
            asked = _asked(ledger, change, Fraction(sum(goods.values())))
            ledger.moved[change.key] = dict(
                zip(goods, _spread(asked, [Fraction(coins) for coins in goods.values()]), strict=True)
            )
    return ledger


def _comp(ledger: _Ledger, change: Change, comped: dict[Key, int]) -> None:
    for entry in ledger.entries:
        free = min((change.quantities or {}).get(entry.key, 0), entry.quantity - comped[entry.key])
        if free > 0:
            comped[entry.key] += free
            coins = ledger.coins(entry.price * free)
            ledger.left[entry.key] -= coins
            ledger.moved[change.key][entry.key] = -coins


def _discount(ledger: _Ledger, change: Change, comped: Mapping[Key, int]) -> None:
    bases = []
    for entry in ledger.entries:
        paid_for = entry.quantity - comped.get(entry.key, 0)
        quantity = paid_for if change.quantities is None else min(change.quantities.get(entry.key, 0), paid_for)
        bases.append(Fraction(ledger.left[entry.key] * quantity, paid_for) if paid_for > 0 else Fraction(0))
    base = sum(bases, Fraction(0))
    off = min(_asked(ledger, change, base), floor(base))
    for entry, coins in zip(ledger.entries, _spread(off, bases), strict=True):
        if coins:
            ledger.left[entry.key] -= coins
            ledger.moved[change.key][entry.key] = -coins


def _asked(ledger: _Ledger, change: Change, base: Fraction) -> int:
    if change.percent is not None:
        return floor(base * Fraction(change.percent) / 100 + Fraction(1, 2))
    return ledger.coins(change.amount or Decimal(0))


def _sums(ledger: _Ledger) -> Sums:
    by_rate: dict[Rate, int] = defaultdict(int)
    moved: dict[Key, dict[Rate, int]] = {change.key: defaultdict(int) for change in ledger.changes}
    for entry in ledger.entries:
        by_rate[entry.rate] += ledger.left[entry.key]
        for change in ledger.changes:
            is_taxed_apart = change.kind == SERVICE and change.rate is not None
            rate, coins = change.rate if is_taxed_apart else entry.rate, ledger.moved[change.key].get(entry.key, 0)
            moved[change.key][rate] += coins
            by_rate[rate] += coins if change.kind == SERVICE else 0
    amounts = {key: sum(rates.values()) for key, rates in moved.items()}
    total = sum(by_rate.values())
    rates = sorted(rate for rate in by_rate if rate is not None)
    return Sums(
        subtotal=ledger.amount(total - sum(amounts.values())),
        gross={key: ledger.amount(coins - _taken_off(ledger, key)) for key, coins in ledger.left.items()},
        lines={key: ledger.amount(coins) for key, coins in ledger.left.items()},
        amounts={key: ledger.amount(coins) for key, coins in amounts.items()},
        amounts_at={key: {rate: ledger.amount(coins) for rate, coins in rates.items()} for key, rates in moved.items()},
        taxes=[Tax.of(rate, ledger.amount(by_rate[rate]), ledger.unit) for rate in rates],
        total=ledger.amount(total),
    )


def _taken_off(ledger: _Ledger, entry: Key) -> int:
    """Return what discounts and what is on the house make of an entry, as a number below zero."""
    return sum(ledger.moved[change.key].get(entry, 0) for change in ledger.changes if change.kind != SERVICE)


def _with_taxes_of(whole: Sums, parts: dict[Key, Sums], unit: Decimal) -> dict[Key, Sums]:
    """Let the taxes of the parts add up too: each rounded by itself, they would be a coin more or less."""
    for tax in whole.taxes:
        having = [(sums, found) for sums in parts.values() for found in sums.taxes if found.rate == tax.rate]
        coins = _spread(int(tax.tax / unit), [Fraction(found.gross) for _sums, found in having])
        for (sums, found), share in zip(having, coins, strict=True):
            sums.taxes[sums.taxes.index(found)] = Tax(tax.rate, found.gross, share * unit)
    return parts


def _spread(coins: int, weights: Sequence[Fraction], owed: list[Fraction] | None = None) -> list[int]:
    """Spread the coins by these weights: each gets the whole coins of its share, who lack most of one get the rest.

    `owed` remembers from one call to the next what each has got too little.
    """
    whole = sum(weights, Fraction(0))
    if not whole:
        return [0] * len(weights)
    shares = [coins * weight / whole for weight in weights]
    given = [floor(share) for share in shares]
    lack = [share - coins_given for share, coins_given in zip(shares, given, strict=True)]
    debts = lack if owed is None else [part + before for part, before in zip(lack, owed, strict=True)]
    ranked = sorted((place for place, part in enumerate(lack) if part), key=lambda place: -debts[place])
    for place in ranked[: coins - sum(given)]:
        given[place] += 1
    if owed is not None:
        owed[:] = [before + share - got for before, share, got in zip(owed, shares, given, strict=True)]
    return given
