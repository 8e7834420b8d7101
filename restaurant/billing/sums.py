"""What a bill comes to, from its entries and what changes them: sums that agree to the smallest coin.

Pure functions of plain values. Whatever is combined, the lines, the rates and the parts of a bill add up to its total.
"""

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
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
    taxes: list[Tax]  # one for each rate, the lowest first
    total: Decimal

    def tax_at(self, rate: Decimal) -> Tax | None:
        return next((tax for tax in self.taxes if tax.rate == rate), None)


@dataclass(slots=True)
class _Ledger:
    """Whole numbers of the smallest coin: what is left of each entry, and what each change took off or added to it."""

    unit: Decimal
    entries: Sequence[Entry]
    changes: Sequence[Change]
    left: dict[Key, int] = field(default_factory=dict)
    moved: dict[Key, dict[Key, int]] = field(default_factory=dict)  # by change and entry

    def amount(self, coins: int) -> Decimal:
        return coins * self.unit

    def coins(self, amount: Decimal) -> int:
        return int((amount / self.unit).to_integral_value(ROUND_HALF_UP))


def sums_of(entries: Sequence[Entry], changes: Sequence[Change] = (), *, unit: Decimal) -> Sums:
    """Apply what is on the house, then discounts of entries, discounts of the bill, and service, to these entries."""
    return _sums(_ledger(entries, changes, unit))


def by_rate(entries: Sequence[Entry], changes: Sequence[Change], *, unit: Decimal) -> dict[Key, dict[Rate, Decimal]]:
    """Return what each change makes of the sum at each rate."""
    ledger = _ledger(entries, changes, unit)
    rates: dict[Key, dict[Rate, Decimal]] = {change.key: defaultdict(Decimal) for change in changes}
    for change in changes:
        for entry in entries:
            rate = change.rate if change.kind == SERVICE and change.rate is not None else entry.rate
            rates[change.key][rate] += ledger.amount(ledger.moved[change.key].get(entry.key, 0))
    return rates


def divide(
    entries: Sequence[Entry],
    changes: Sequence[Change],
    claims: Mapping[Key, Mapping[Key, Fraction]],
    *,
    unit: Decimal,
) -> dict[Key, Sums]:
    """Divide a bill. `claims` has for each part the fraction of each entry; those of one entry add up to one."""
    ledger = _ledger(entries, changes, unit)
    whole = _sums(ledger)
    parts = list(claims)
    owed = {part: Fraction(0) for part in parts}
    left: dict[Key, dict[Key, int]] = {part: {} for part in parts}
    moved: dict[Key, dict[Key, dict[Key, int]]] = {part: defaultdict(dict) for part in parts}
    # By rate, so that what is rounded for one entry is made up for by the next one of the same rate.
    for entry in sorted(entries, key=lambda each: (each.rate is None, each.rate or 0)):
        weights = [claims[part].get(entry.key, Fraction(0)) for part in parts]
        for part, coins in zip(parts, _spread(ledger.left[entry.key], weights, owed, parts), strict=True):
            left[part][entry.key] = coins
        for change in changes:
            coins_of_change = ledger.moved[change.key].get(entry.key, 0)
            spread = _spread(abs(coins_of_change), weights, owed if change.kind == SERVICE else None, parts)
            for part, coins in zip(parts, spread, strict=True):
                moved[part][change.key][entry.key] = coins if coins_of_change >= 0 else -coins
    divided = {}
    for part in parts:
        its = _Ledger(
            unit, [entry for entry in entries if claims[part].get(entry.key)], changes, left[part], moved[part]
        )
        divided[part] = _sums(its)
    return _with_taxes_of(whole, divided, unit)


def credited(due: Decimal, parts: Mapping[Key, tuple[Decimal, Decimal]], *, unit: Decimal) -> dict[Key, Decimal]:
    """Return what is due of each part, from its total and what was paid for it; together it is `due`.

    What was paid without naming a part, or too much for one, is taken off the others.
    """
    open_of = {part: max(total - paid, Decimal(0)) for part, (total, paid) in parts.items()}
    coins = _spread(int(due / unit), [Fraction(amount) for amount in open_of.values()])
    return {part: share * unit for part, share in zip(open_of, coins, strict=True)}


def in_equal_parts(amount: Decimal, people: int, *, unit: Decimal) -> list[Decimal]:
    """Return what each of the people pays, who pays more first: 10.00 by 3 is 3.34, 3.33, 3.33."""
    return [coins * unit for coins in _spread(int(amount / unit), [Fraction(1)] * people)]


def _ledger(entries: Sequence[Entry], changes: Sequence[Change], unit: Decimal) -> _Ledger:
    ledger = _Ledger(unit, entries, changes)
    ledger.left = {entry.key: ledger.coins(entry.total) for entry in entries}
    ledger.moved = {change.key: {} for change in changes}
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
            ledger.moved[change.key] = dict(zip(goods, _spread(asked, _fractions(goods.values())), strict=True))
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
    service = [change for change in ledger.changes if change.kind == SERVICE]
    by_rate: dict[Rate, int] = defaultdict(int)
    for entry in ledger.entries:
        by_rate[entry.rate] += ledger.left[entry.key]
        for change in service:
            rate = entry.rate if change.rate is None else change.rate
            by_rate[rate] += ledger.moved[change.key].get(entry.key, 0)
    amounts = {change.key: sum(ledger.moved[change.key].values()) for change in ledger.changes}
    total = sum(by_rate.values())
    rates = sorted(rate for rate in by_rate if rate is not None)
    return Sums(
        subtotal=ledger.amount(total - sum(amounts.values())),
        gross={key: ledger.amount(coins - _taken_off(ledger, key)) for key, coins in ledger.left.items()},
        lines={key: ledger.amount(coins) for key, coins in ledger.left.items()},
        amounts={key: ledger.amount(coins) for key, coins in amounts.items()},
        taxes=[Tax.of(rate, ledger.amount(by_rate[rate]), ledger.unit) for rate in rates],
        total=ledger.amount(total),
    )


def _taken_off(ledger: _Ledger, entry: Key) -> int:
    """Return what discounts and what is on the house make of an entry, as a number below zero."""
    return sum(ledger.moved[change.key].get(entry, 0) for change in ledger.changes if change.kind != SERVICE)


def _with_taxes_of(whole: Sums, parts: dict[Key, Sums], unit: Decimal) -> dict[Key, Sums]:
    """Let the taxes of the parts add up too: each rounded by itself, they would be a coin more or less."""
    for tax in whole.taxes:
        having = [(sums, found) for sums in parts.values() if (found := sums.tax_at(tax.rate))]
        coins = _spread(int(tax.tax / unit), [Fraction(found.gross) for _sums, found in having])
        for (sums, found), share in zip(having, coins, strict=True):
            sums.taxes[sums.taxes.index(found)] = Tax(tax.rate, found.gross, share * unit)
    return parts


def _fractions(numbers: Iterable[int]) -> list[Fraction]:
    return [Fraction(number) for number in numbers]


def _spread(
    coins: int,
    weights: Sequence[Fraction],
    owed: dict[Key, Fraction] | None = None,
    keys: Collection[Key] = (),
) -> list[int]:
    """Spread the coins by these weights: each gets the whole coins of its share, who lack most of one get the rest.

    `owed` remembers from one call to the next what each of the `keys` has got too little.
    """
    whole = sum(weights, Fraction(0))
    if not whole:
        return [0] * len(weights)
    shares = [coins * weight / whole for weight in weights]
    given = [floor(share) for share in shares]
    lack = [share - coins_given for share, coins_given in zip(shares, given, strict=True)]
    names = list(keys) or list(range(len(weights)))
    debts = [part + (owed[name] if owed else 0) for part, name in zip(lack, names, strict=True)]
    ranked = sorted((place for place, part in enumerate(lack) if part), key=lambda place: -debts[place])
    for place in ranked[: coins - sum(given)]:
        given[place] += 1
    if owed is not None:
        for place, name in enumerate(names):
            owed[name] += shares[place] - given[place]
    return given
