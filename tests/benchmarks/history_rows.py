"""The rows of two years of a busy restaurant, as text for COPY: members and their points, orders and scans.

All choices come from SEED: the same moment gives the same rows. See `tests.benchmarks.history`.
"""

import itertools
from collections.abc import Iterator
from datetime import datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

SEED = 6
DAYS = 730
DAY = 86_400  # seconds
MEMBERS = 100_000
MEMBERS_WITH_A_CODE = 500
TRANSACTIONS = 1_000_000
SESSIONS = 250_000
MEMBER_SCANS = 40_000
TABLES = 40
DISHES = 120
NEVER_SOLD = 4
# In turn, so that the sums are exact: 2 orders and 7.84 scans a session, 3 lines an order.
ORDERS = (1, 2, 3, 1, 2, 2, 4, 1)
LINES = (1, 2, 3, 4, 5, 2, 3, 4, 3, 3)
SCANS = (7, 4, 12, 8, 5, 9, 6, 13, 3, 8, 7, 10, 2, 9, 4, 11, 8, 5, 13, 7, 10, 6, 8, 12, 9)

# How many sessions begin in an hour: lunch and dinner. Mondays are quiet, Saturdays are not.
HOURS = {11: 4, 12: 14, 13: 11, 14: 4, 15: 2, 16: 2, 17: 4, 18: 11, 19: 20, 20: 18, 21: 8}
WEEKDAYS = (6, 8, 9, 10, 14, 16, 11)
DEVICES = {"iOS": 42, "iOS (iPad)": 3, "Android": 46, "Windows": 4, "macOS": 2, "Linux": 1, "ChromeOS": 1, "other": 1}
CITIES = {"Vienna\tAustria": 60, "Graz\tAustria": 8, "Bratislava\tSlovakia": 6, "Munich\tGermany": 6, "\t": 20}
REWARDS = (("Espresso", 100), ("Soup", 150), ("Dessert", 250), ("Wine tasting", 400), ("Dinner", 600), ("Party", 1000))
APPETITES = (1,) * 40 + (2,) * 6 + (6, 25)  # some members bring their firm along
SIGNS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

TIERS = ((10_000, "platinum", 2.0), (5_000, "gold", 1.5), (1_000, "silver", 1.25), (0, "bronze", 1.0))
SIGNUP_BONUS = 100
CLOCK = [f"{s // 3600:02}:{s // 60 % 60:02}:{s % 60:02}" for s in range(DAY)]


def identifiers(rng: Random, count: int) -> Iterator[str]:
    """Random ids (UUID, version 4) as hexadecimal text."""
    text = rng.randbytes(16 * count).hex()
    return (f"{text[n : n + 12]}4{text[n + 13 : n + 16]}a{text[n + 17 : n + 32]}" for n in range(0, 32 * count, 32))


class Calendar:
    """Moments of the history: seconds on the clock on the wall, since the first local midnight."""

    def __init__(self, *, time_zone: str, share: float) -> None:
        now = datetime.now(ZoneInfo(time_zone))
        self.dates = [str(now.date() - timedelta(days=back)) for back in reversed(range(-31, DAYS))]  # and 31 to come
        self.weekdays = [(now.date() - timedelta(days=back)).weekday() for back in reversed(range(DAYS))]
        self.now = (DAYS - 1) * DAY + now.hour * 3600 + now.minute * 60 + now.second
        self.first_day = DAYS - round(DAYS * share)
        self.seconds = [minute * 60 for hour, weight in HOURS.items() for minute in range(hour * 60, hour * 60 + 60)
                        for _ in range(weight)]  # fmt: skip

    def text(self, moment: int) -> str:
        return f"{self.dates[moment // DAY]} {CLOCK[moment % DAY]}"

    def open_seconds(self, day: int) -> list[int]:
        """When sessions begin on that day: each as often as its hour is busy. Today has only what is past."""
        return self.seconds if day < DAYS - 1 else [each for each in self.seconds if each <= self.now % DAY - 60]

    def spread(self, total: int, *, weights: tuple[int, ...] = (1,) * 7) -> list[int]:
        """`total` over all days, by weekday; today has its part of the hours."""
        of_days = [weights[weekday] for weekday in self.weekdays]
        of_days[-1] *= len(self.open_seconds(DAYS - 1)) / len(self.seconds)
        sums = [round(total * each / sum(of_days)) for each in itertools.accumulate(of_days)]
        return [later - earlier for earlier, later in itertools.pairwise([0, *sums])]


# --- members and their points -----------------------------------------------------------------------


class Programme:
    """The ledger, member by member. Of what is older than the share, a member keeps the sums: so the figures of
    members and of the latest days are the same with every share.
    """

    def __init__(self, calendar: Calendar, codes: list[str]) -> None:
        self.calendar, self.rng, self.codes = calendar, Random(SEED), codes
        self.beginning = calendar.first_day * DAY
        self.locations = list(identifiers(self.rng, 3))
        self.rewards = list(zip(identifiers(self.rng, len(REWARDS)), REWARDS, strict=True))
        self.members: list[list] = []  # id, joined, balance, lifetime, awards, cents spent, tier, last active
        self.ledger: list[tuple[int, str]] = []
        self.redemptions: list[tuple[int, str]] = []
        self.count = 0
        self.ids = itertools.chain.from_iterable(identifiers(self.rng, 10_000) for _ in itertools.count())
        for _ in range(MEMBERS):
            self._live()
        self._give(TRANSACTIONS - self.count)
        self.ledger.sort()
        self.redemptions.sort()

    def _line(self, moment: int, member: str, kind: str, points: int, text: str, total: str = r"\N") -> None:
        place = self.locations[points % 3] if total != r"\N" else r"\N"
        staff = "till" if total != r"\N" else ""
        when = self.calendar.text(moment)
        line = f"{next(self.ids)}\t{member}\t{kind}\t{points}\t{text}\t{total}\t{place}\t{staff}\t{when}\t\t\n"
        self.ledger.append((moment, line))
        if kind == "earn":
            self.awards += 1
            self.cents += 0 if total == r"\N" else round(float(total) * 100)

    def _visits(self, joined: int) -> list[int]:
        """Newcomers come more often; six of ten stop coming some day."""
        rng, now = self.rng, self.calendar.now
        until = now if rng.random() < 0.4 else joined + int((now - joined) * rng.random())
        number = min(int(rng.expovariate(1 / (10.2 if now - joined < 180 * DAY else 8.4))), 80)
        moments = (joined + int((until - joined) * rng.random()) for _ in range(number))
        seconds = rng.choices(self.calendar.seconds, k=number)
        at_table = (each // DAY * DAY + second + each % 60 for each, second in zip(moments, seconds, strict=True))
        return sorted(min(max(each, joined + 60), now - 60) for each in at_table)

    def _live(self) -> None:
        rng = self.rng
        joined = int((self.calendar.now - 3600) * rng.random() ** 2.5)
        member = next(self.ids)
        balance = lifetime = SIGNUP_BONUS
        self.awards = self.cents = 0
        tier, multiplier, latest, spent_before, earned_before, since = "bronze", 1.0, joined, 0, 0, self.beginning
        if joined >= since:
            self._line(joined, member, "earn", SIGNUP_BONUS, "Signup bonus")
        else:
            earned_before = SIGNUP_BONUS
        self.count += 1
        appetite = rng.choice(APPETITES)
        for moment in self._visits(joined):
            cents = int(400 + rng.expovariate(1 / 1900) * appetite)
            points = int(cents // 100 * multiplier)
            balance, lifetime = balance + points, lifetime + points
            _, tier, multiplier = next(tier for tier in TIERS if lifetime >= tier[0])
            self.count += 1
            if moment >= since:
                self._line(moment, member, "earn", points, "Purchase", f"{cents / 100:.2f}")
            else:
                earned_before += points
            latest = moment
            reward, (name, cost) = rng.choice(self.rewards)
            if balance >= cost and rng.random() < 0.16:
                balance -= cost
                self.count += 1
                if moment >= since:
                    self._redeem(moment + 30, member, reward, name, cost)
                else:
                    spent_before += cost
        if since > joined:
            before = min(latest, since - 1)
            self._line(before, member, "earn", earned_before, "Carried over")
            if spent_before:
                self._line(before, member, "expire", -spent_before, "Carried over")
        self.members.append([member, joined, balance, lifetime, self.awards, self.cents, tier, latest])

    def _redeem(self, moment: int, member: str, reward: str, name: str, cost: int) -> None:
        text, number = self.calendar.text, len(self.redemptions)
        self._line(moment, member, "redeem", -cost, f"Redeemed: {name}")
        code = "RWD-" + "".join(SIGNS[number * 7919 % 32**6 // 32**place % 32] for place in range(6))
        expires = text(moment + 30 * DAY)
        is_new = moment > self.calendar.now - 30 * DAY
        status = "used" if self.rng.random() < 0.8 else "active" if is_new else "expired"
        used = text(min(moment + 1200, self.calendar.now)) if status == "used" else r"\N"
        row = (next(self.ids), member, reward, str(cost), code, "", status, expires, used, text(moment), "", "")
        self.redemptions.append((moment, "\t".join(row) + "\n"))

    def _give(self, count: int) -> None:
        """Birthday presents, up to the number of transactions that is wanted."""
        for _ in range(count):
            member = self.rng.choice(self.members)
            moment = member[1] + int((self.calendar.now - member[1]) * self.rng.random())
            if moment >= self.beginning:
                self._line(moment, member[0], "bonus", 50, "Happy birthday")
                member[2] += 50

    def member_rows(self) -> Iterator[str]:
        text = self.calendar.text
        for number, (member, joined, balance, lifetime, awards, cents, tier, latest) in enumerate(self.members):
            code = self.codes[number] if number < len(self.codes) else ""
            yield (
                f"{member}\tguest{number}@example.com\tGuest {number * 7919 % MEMBERS:05}\t\t{code}\t{balance}\t"
                f"{lifetime}\t{awards}\t{cents / 100:.2f}\t{tier}\t{text(joined)}\t{text(latest)}\t\t\t\\N\t"
                f"key{number}\n"
            )


# --- tables, orders and scans -----------------------------------------------------------------------


class Restaurant:
    """Sessions, orders and scans, day by day; a day is the same with every share."""

    def __init__(self, calendar: Calendar) -> None:
        rng = self.rng = Random(SEED)
        self.calendar = calendar
        self.tables = list(identifiers(rng, TABLES))
        self.dishes = [(each, f"Dish {n:03}", 350 + n * 37 % 2600) for n, each in enumerate(identifiers(rng, DISHES))]
        appetite = [100 / (n + 8) if n < DISHES - NEVER_SOLD else 0 for n in range(DISHES)]
        self.appetite = list(itertools.accumulate(appetite))
        self.sessions = calendar.spread(SESSIONS, weights=WEEKDAYS)
        self.member_scans = calendar.spread(MEMBER_SCANS)
        self.devices = list(itertools.accumulate(DEVICES.values()))
        self.cities = list(itertools.accumulate(CITIES.values()))

    def days(self) -> Iterator[tuple[str, str, str, str]]:
        """The rows of each day for COPY: sessions, orders, lines, scans."""
        number = sum(self.sessions[: self.calendar.first_day])
        for day in range(self.calendar.first_day, DAYS):
            self.rng = Random(f"{SEED} {day}")
            self.limit = min((day + 1) * DAY - 1, self.calendar.now - 1)
            sessions, orders, moments = [], [], []
            begins = self.rng.choices(self.calendar.open_seconds(day) or [0], k=self.sessions[day])
            self.ids = identifiers(self.rng, len(begins) * 20 + 100)
            for second in begins:
                begin = min(day * DAY + second + self.rng.randrange(60), self.limit - 60)
                sessions.append(self._session(number, begin, orders, moments))
                number += 1
            moments += self._scans_of_members(day)
            for rows in (sessions, orders, moments):
                rows.sort()
            yield (
                "".join(row for _, row in sessions),
                "".join(row for _, row, _ in orders),
                "".join(row for *_, row in orders),
                self._scans(moments),
            )

    def _session(self, number: int, begin: int, orders: list, moments: list) -> tuple[int, str]:
        rng, session = self.rng, next(self.ids)
        place = int(TABLES * rng.random() ** 1.3)
        length = rng.randrange(2400, 6600)
        end, count, revenue = begin + length, ORDERS[number % len(ORDERS)], 0
        first = number // len(ORDERS) * sum(ORDERS) + sum(ORDERS[: number % len(ORDERS)])
        for turn in range(count):
            moment = min(begin + 180 + length * turn // (count + 1) + rng.randrange(240), self.limit)
            total, order, lines = self._order(LINES[(first + turn) % len(LINES)], moment, session, self.tables[place])
            orders.append((moment, order, lines))
            revenue += total
        scans = SCANS[number % len(SCANS)]
        moments += [(begin, place), *((min(begin + int(length * rng.random()), self.limit), place)
                                      for _ in range(scans - 1))]  # fmt: skip
        text = self.calendar.text
        ended = text(end) if end < self.limit else r"\N"
        money = f"{revenue / 100:.2f}"
        return begin, f"{session}\t{self.tables[place]}\t{text(begin)}\t{ended}\t{scans}\t{count}\t{money}\n"

    def _order(self, count: int, moment: int, session: str, table: str) -> tuple[int, str, str]:
        rng, order, total, lines = self.rng, next(self.ids), 0, []
        for position, (dish, name, price) in enumerate(rng.choices(self.dishes, cum_weights=self.appetite, k=count)):
            quantity = (1, 1, 1, 2, 1, 1, 2, 3)[int(8 * rng.random())]
            total += price * quantity
            money = f"{price // 100}.{price % 100:02}"
            lines.append(f"{next(self.ids)}\t{order}\t{dish}\t{position}\t{name}\t{quantity}\t\t{money}\n")
        text, status, completed = self.calendar.text, "completed", r"\N"
        if moment > self.calendar.now - 1800:
            status = rng.choice(("pending", "preparing", "ready", "served"))
        else:
            completed = text(min(moment + 1500, self.limit))
        row = f"{order}\t{table}\t{session}\t{status}\t{total / 100:.2f}\t{text(moment)}\t{completed}\t\n"
        return total, row, "".join(lines)

    def _scans_of_members(self, day: int) -> list[tuple[int, int]]:
        latest = self.limit - day * DAY
        return [
            (day * DAY + self.rng.randrange(max(latest, 1)), TABLES + self.rng.randrange(MEMBERS_WITH_A_CODE))
            for _ in range(self.member_scans[day])
        ]

    def _scans(self, moments: list[tuple[int, int]]) -> str:
        """The built-in account's codes: first those of the tables, then those of members, numbered from 1."""
        rng, text, count = self.rng, self.calendar.text, len(moments)
        devices = rng.choices(list(DEVICES), cum_weights=self.devices, k=count)
        cities = rng.choices(list(CITIES), cum_weights=self.cities, k=count)
        rows = zip(moments, cities, devices, strict=True)
        return "".join(f"{code + 1}\t{text(moment)}\t{city}\t{device}\n" for (moment, code), city, device in rows)
