"""Members from elsewhere: a file of them is read, shown line by line, and imported once."""

import json
import re
import uuid
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from django.db.models import F, Func, Q, TextField, Value
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from loyalty import rules
from loyalty.members.models import Member
from loyalty.members.serializers import StaffEnrolmentBody
from loyalty.points.models import PointTransaction, Programme
from loyalty.points.queries.programme import current_programme
from loyalty.points.services import enrolment
from qrservice import gateway
from web.imports.reading import Line, PlanHasChanged, Reading, Unanswered, headings, key, meanings
from web.imports.table import Contents, Row, Table, read_table
from web.searching import plain

_WORDS = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
_HEADINGS, _TRUTH = headings(_WORDS), meanings(_WORDS["truth"])
_DATES = ("offers_since", "joined")
_DATE = re.compile(r"([0-9]{1,2})([./-])([0-9]{1,2})\2([0-9]{4}|[0-9]{2})(?![0-9])")


# --- reading --------------------------------------------------------------------------------------


def read(data: bytes, answers: dict[str, str]) -> Contents:
    """Return what was understood of a file. Raises UnreadableFile."""
    return read_table(data, Reading(_HEADINGS, answers), _Table)


def labels() -> dict[str, str]:
    """Return the names of the columns."""
    return {
        "name": _("name"), "first_name": _("first name"), "last_name": _("last name"), "email": _("email"),
        "phone": _("phone"), "points": _("points"), "offers": _("agreed to offers"),
        "offers_since": _("agreed to offers since"), "joined": _("joined"),
    }  # fmt: skip


class _Table(Table):
    def __init__(self, found: Iterable[Line], reading: Reading) -> None:
        super().__init__(found, reading, labels())

    def rows(self) -> list[Row]:
        has_names = not {"name", "first_name", "last_name"}.isdisjoint(self.columns)
        has_addresses = not {"email", "phone"}.isdisjoint(self.columns)
        is_asked = any(choice.is_asked for choice in self.reading.choices)
        needed = _("A column with names is needed, and one with emails or phone numbers.")
        self.check_columns(is_enough=(has_names and has_addresses) or is_asked, needed=needed)
        rows = super().rows()
        self._read_dates(rows)
        return rows

    def _read_dates(self, rows: list[Row]) -> None:
        """Write days as `2026-03-31`; what comes first in 03/04/2026 is asked where no other date tells."""
        columns = [column for column in ("offers", *_DATES) if column in self.columns]
        days = [(row, column, day) for row in rows for column in columns if (day := _DATE.match(row.cells[column]))]
        unclear = [day for _row, _column, day in days if day[2] != "."]
        firsts, seconds = ([int(day[n]) for day in unclear] for n in (1, 3))
        guess = "day" if max(firsts, default=13) > 12 else "month" if max(seconds) > 12 else None
        if unclear:
            options = {"day": _("the day"), "month": _("the month")}
            question = _("What comes first in “%(date)s”, the day or the month?") % {"date": unclear[0][0]}
            label = _("In a date such as “%(date)s” the first is") % {"date": unclear[0][0]}
            guess = self.reading.choose("dates", label, options, guess, question)
        for row, column, day in days:
            first, second = (3, 1) if day[2] == "." or guess == "day" else (1, 3)
            row.cells[column] = f"{('20' + day[4])[-4:]}-{int(day[first]):02}-{int(day[second]):02}"


# --- what would be done ---------------------------------------------------------------------------


@dataclass
class MemberLine:
    """A row of the file. `first` is the first line of a new member's ledger, and has the member."""

    row: Row
    details: dict[str, str]  # name, email and phone, as they are in the file
    values: dict[str, Any]
    refusals: list[str]
    known: str = ""  # how the member is here already
    remark: str = ""
    first: PointTransaction = field(init=False)  # unless it is refused


class Plan(NamedTuple):
    fingerprint: str  # of what the file says: who has enrolled since makes no other plan
    refused: list[MemberLine]
    known: list[MemberLine]
    new: list[MemberLine]

    @property
    def in_order(self) -> list[MemberLine]:
        """Those first that need a look."""
        return [*self.refused, *self.known, *self.new]

    @property
    def may_be_confirmed(self) -> bool:
        return bool(self.new)


def plan(file: Contents, *, by: str) -> Plan:
    """Return what a file would do. What the rows leave open is a question of its reading."""
    lines, programme = [_line(row) for row in file.rows], current_programme()
    readable = [line for line in lines if not line.refusals]
    for line in readable:
        _set_first(line, digest=file.reading.digest, programme=programme, by=by)
    with suppress(Unanswered):
        _find_known(readable, file.reading)
    said = json.dumps([file.rows, file.reading.answers.get("namesakes")])
    refused, known = [line for line in lines if line.refusals], [line for line in readable if line.known]
    return Plan(sha256(said.encode()).hexdigest(), refused, known, [line for line in readable if not line.known])


def carry_out(file: Contents, *, fingerprint: str, by: str) -> tuple[list[Member], gateway.QRServiceError | None]:
    """Import what was confirmed, and return what `enrol_all` does. Raises PlanHasChanged."""
    current = plan(file, by=by)
    if file.reading.questions or current.fingerprint != fingerprint:
        raise PlanHasChanged
    return enrolment.enrol_all([line.first for line in current.new])


# --- rows -----------------------------------------------------------------------------------------


def _points(cell: str) -> int:
    """Read `1250`, `1.250`, `1,250` and `1 250.00`. Raises ValueError."""
    text = re.sub(r"(?<=[0-9])[.,'’\s](?=[0-9]{3}(?![0-9]))|[.,]0{1,2}\Z", "", cell)
    if not re.fullmatch("[0-9]{1,10}", text) or int(text) > rules.MAX_POINTS:
        raise ValueError(cell)
    return int(text)


def _day(cell: str) -> datetime:
    moment = parse_datetime(cell)
    if moment is None:
        raise ValueError(cell)
    moment = moment if timezone.is_aware(moment) else timezone.make_aware(moment)
    if moment > timezone.now() or moment.year < 1900:
        raise ValueError(cell)
    return moment


def _consent(cell: str) -> datetime | bool:
    word = _TRUTH.get(key(cell) or cell)
    return _day(cell) if word is None else word == "yes"


_CELLS: dict[str, tuple[Callable[[str], Any], Any]] = {
    "points": (_points, gettext_lazy("“%(text)s” is not a whole number of points, 0 or more.")),
    "offers": (_consent, gettext_lazy("“%(text)s” is neither yes nor no, and no day until today.")),
    **dict.fromkeys(_DATES, (_day, gettext_lazy("“%(text)s” is not a day until today."))),
}


def _line(row: Row) -> MemberLine:
    cells = row.cells
    name = row.name or " ".join(filter(None, (cells.get("first_name"), cells.get("last_name"))))
    details = {"name": name, "email": cells.get("email", ""), "phone": cells.get("phone", "")}
    body, names, refusals = StaffEnrolmentBody(data=details), labels(), []
    if not body.is_valid():
        refusals += [f"{capfirst(names[column])}: {text}" for column, texts in body.errors.items() for text in texts]
    if re.search(r"[0-9][eE]\+?[0-9]", details["phone"]):
        refusals.append(_("The spreadsheet has cut off this phone number."))
    values: dict[str, Any] = dict(body.validated_data)
    for column, (read_cell, sentence) in _CELLS.items():
        try:
            values[column] = read_cell(cells[column]) if cells.get(column) else None
        except ValueError:
            refusals.append(sentence % {"text": cells[column][:40]})
    return MemberLine(row, details, values, refusals)


def _set_first(line: MemberLine, *, digest: str, programme: Programme, by: str) -> None:
    """Set the first line of the new member's ledger."""
    values, now = line.values, timezone.now()
    points, offers, since = values["points"] or 0, values["offers"], values["offers_since"]
    if isinstance(offers, datetime):
        since, offers = since or offers, True
    agrees = bool(since) if offers is None else offers
    line.remark = _("Offers need an email.") if agrees and not values["email"] else ""
    line.first = PointTransaction(
        pk=uuid.uuid5(uuid.NAMESPACE_OID, f"{digest} {line.row.number}"),  # so that a file's row counts once
        customer=Member(
            name=values["name"],
            email=values["email"],
            phone=values["phone"],
            points_balance=points,
            lifetime_points=points,
            tier=programme.tier_of(points),
            created_at=values["joined"] or now,
            offers_agreed_at=(since or now) if agrees and values["email"] else None,
        ),
        type=PointTransaction.Type.IMPORT,
        points=points,
        description=_("Points from before"),
        staff_id=by,
        recorded_by=by,
        created_at=now,
    )


# --- who is here already ---------------------------------------------------------------------------


_PARTS = {"name": 1, "email": 2, "number": 4}  # lines of the text that searches read
_SAME = {
    "email": gettext_lazy("Here already: %(name)s has this email."),
    "number": gettext_lazy("Here already: %(name)s has this phone number."),
}


def _who(member: Member) -> dict[str, str]:
    """Return what tells guests apart, as the database has it."""
    number = re.sub(r"^\s*00|\(0\)|\D", "", member.phone)
    return {"name": plain(member.name), "email": plain(member.email), "number": number}


def _cards_like(people: list[dict[str, str]]) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the names of members who have something in common with these, and who they are."""
    parts = {
        f"own_{part}": Func(F("search_text"), Value("\n"), Value(line), function="split_part", output_field=TextField())
        for part, line in _PARTS.items()
    }
    wanted = (Q((f"own_{part}__in", {who[part] for who in people} - {""})) for part in _PARTS)
    there = Member.objects.filter(Q(erased_at=None) | Q(merged_into__isnull=False)).annotate(**parts)
    for name, *who in there.filter(Q(*wanted, _connector=Q.OR)).values_list("name", *parts):
        yield name, dict(zip(_PARTS, who, strict=True))


def _find_known(lines: list[MemberLine], reading: Reading) -> None:
    """Say of each line how its member is here already. Raises Unanswered where only the owner can tell."""
    people, asked = [_who(line.first.customer) for line in lines], []
    cards: defaultdict[tuple[str, str], list[tuple[str, dict[str, str]]]] = defaultdict(list)

    def add(name: str, who: dict[str, str]) -> None:
        for part in who.items():
            cards[part].append((name, who))

    for name, who in _cards_like(people):
        add(name, who)
    done = set(PointTransaction.objects.filter(pk__in=[line.first.pk for line in lines]).values_list("pk", flat=True))
    for line, who in zip(lines, people, strict=True):
        same = ((cards[part, who[part]], sentence) for part, sentence in _SAME.items() if who[part])
        line.known = next((sentence % {"name": found[0][0]} for found, sentence in same if found), "")
        if line.first.pk in done:
            line.known = _("This row was imported before.")
        if line.known:
            continue
        # Neither another email nor another number tells them apart.
        namesakes = (other for _name, other in cards["name", who["name"]])
        if any(not any(who[part] and other[part] for part in _SAME) for other in namesakes):
            asked.append(line)
        add(_("row %(number)d") % {"number": line.row.number}, who)
    if not asked:
        return
    rows = ", ".join(str(line.row.number) for line in asked[:10]) + ("…" if len(asked) > 10 else "")
    question = _("Are these guests here already (rows %(rows)s)? Cards have their names, and nothing tells them apart.")
    label = _("Guests of the same name as others (rows %(rows)s)") % {"rows": rows}
    options = {"skip": _("are here already"), "add": _("are somebody else")}
    if reading.choose("namesakes", label, options, None, question % {"rows": rows}) == "skip":
        for line in asked:
            line.known = _("Here already: somebody has this name.")
