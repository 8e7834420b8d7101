"""The carts of phones. Changes lock the session's row, so that they take turns."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from restaurant.errors import CartChanged, CartFull, ItemUnavailable, OptionsRefused, OrderUnknown, SessionEnded
from restaurant.menu.models import MenuItem
from restaurant.menu.queries import Catalogue, menu_state
from restaurant.menu.services.choices import choose, require_available
from restaurant.ordering.models import CartLine, Order, TableSession
from restaurant.ordering.queries.carts import cart_line, cart_version, version_of
from web.fields import is_uuid

MAX_QUANTITY = 99
MAX_LINES = 100
MAX_NOTE = 500  # characters
MAX_OPTIONS = 50


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a cart or an order. `options` are the ids of the chosen ones, in lower case.

    With `later`, staff keep it and send it to the kitchen later. `course` 0 is at once, None that of its category.
    """

    menu_item_id: str
    quantity: int = 1
    special_instructions: str = ""
    options: tuple[str, ...] = ()
    later: bool = False
    course: int | None = None

    @property
    def line(self) -> tuple[str, tuple[str, ...]]:
        """The item's id and its options, sorted: a cart has one line for each of these."""
        return self.menu_item_id.lower(), tuple(sorted(self.options))


def add(*, session: TableSession, guest: str, entry: Entry) -> None:
    """Put an item into the cart; one that is there already with the same options gets more, up to MAX_QUANTITY.

    Raises SessionEnded, ItemUnavailable, OptionsRefused, CartFull.
    """
    with transaction.atomic():
        session = _lock_open(session)
        item = _offered(entry)
        _add(session, guest, item, entry)


def set_quantity(*, session: TableSession, guest: str, entry: Entry, is_note_kept: bool) -> None:
    """Give the line that `entry` names its quantity, and its note unless that is kept; 0 removes the line.

    Sent twice, it changes nothing more. Raises SessionEnded; for a larger quantity, also the errors of `add`.
    """
    with transaction.atomic():
        session = _lock_open(session)
        line = cart_line(session, guest, *entry.line)
        if entry.quantity > (line.quantity if line else 0):
            item = _offered(entry)
            if line is None:
                _add(session, guest, item, entry)
        if line is None:
            return
        if entry.quantity == 0:
            line.delete()
            return
        line.quantity = entry.quantity
        if not is_note_kept:
            line.special_instructions = entry.special_instructions
        line.save()


def replace_line(*, session: TableSession, guest: str, line: Entry, entry: Entry) -> None:
    """Give the line with the item and options of `line` the options, quantity and note of `entry`.

    It stays where it is in the cart; a line that has become equal to another joins it. A line that is not there any
    more is added, unless there is an equal one: that was this change, sent before.
    Raises SessionEnded, ItemUnavailable, OptionsRefused, CartFull.
    """
    with transaction.atomic():
        session = _lock_open(session)
        item = _offered(entry)
        before = cart_line(session, guest, *line.line)
        same = cart_line(session, guest, *entry.line)
        if before is None:
            if same is None:
                _add(session, guest, item, entry)
        elif same is not None and same != before:
            before.delete()
            _add(session, guest, item, entry)
        else:
            before.menu_item, before.options = item, list(entry.line[1])
            before.quantity, before.special_instructions = entry.quantity, entry.special_instructions
            before.save()


def _offered(entry: Entry) -> MenuItem:
    """The entry's item, if it can be had now as it was chosen. Raises ItemUnavailable, OptionsRefused."""
    item = MenuItem.objects.filter(pk=entry.menu_item_id).first() if is_uuid(entry.menu_item_id) else None
    if item is None:
        raise ItemUnavailable(item_id=entry.menu_item_id)
    menu = menu_state().catalogue
    if not menu.is_offered(item, timezone.now()):
        raise ItemUnavailable(item_id=entry.menu_item_id, name=item.local_name)
    _require_options(menu, item, entry.options)
    return item


def _require_options(menu: Catalogue, item: MenuItem, options: Sequence[str]) -> None:
    """Raises OptionsRefused."""
    dish = menu.dish(item)
    require_available(dish, choose(dish, options))


def add_again(*, session: TableSession, guest: str, order_id: str) -> None:
    """Put the items of an order of the same session into the cart, except those that can't be had any more.

    Raises SessionEnded, OrderUnknown, CartFull.
    """
    with transaction.atomic():
        session = _lock_open(session)
        order = Order.objects.filter(pk=order_id, session=session).first() if is_uuid(order_id) else None
        if order is None:
            raise OrderUnknown
        menu, now = menu_state().catalogue, timezone.now()
        for ordered in order.items.select_related("menu_item"):
            options = tuple(str(option["id"]) for option in ordered.options)
            if menu.is_offered(ordered.menu_item, now):
                with suppress(OptionsRefused):
                    _require_options(menu, ordered.menu_item, options)
                    entry = Entry(str(ordered.menu_item_id), ordered.quantity, options=options)
                    _add(session, guest, ordered.menu_item, entry)


def replace(*, session: TableSession, guest: str, entries: list[Entry], version: str = "") -> None:
    """Replace the cart by these entries. Items that the menu does not know are left out.

    Lines of the cart may stay also when their options can't be chosen any more. `version` is that of the cart that was
    changed, where it is known. Raises SessionEnded, CartChanged, OptionsRefused.
    """
    by_line = _merge(entries)
    with transaction.atomic():
        session = _lock_open(session)
        lines = CartLine.objects.filter(session=session, guest=guest)
        before = {(str(line.menu_item_id), tuple(map(str, line.options))) for line in lines}
        if version:
            wanted = version_of(
                (*line, entry.quantity, entry.special_instructions)
                for line, entry in by_line.items()
                if entry.quantity > 0
            )
            require_version(session, guest, version, wanted)  # the latter: it was sent before
        items = {str(pk): item for pk, item in MenuItem.objects.in_bulk([item for item, _options in by_line]).items()}
        menu = menu_state().catalogue
        for item_id, options in by_line:
            if item_id in items and (item_id, options) not in before:
                _require_options(menu, items[item_id], options)
        lines.delete()
        CartLine.objects.bulk_create(
            CartLine(
                session=session,
                guest=guest,
                menu_item=items[item_id],
                options=list(options),
                quantity=entry.quantity,
                special_instructions=entry.special_instructions,
            )
            for (item_id, options), entry in by_line.items()
            if item_id in items and entry.quantity > 0
        )


def require_version(session: TableSession, guest: str, *versions: str) -> None:
    """Raise CartChanged unless the cart has one of these versions. The caller has locked the session."""
    present = cart_version(session, guest)
    if present not in versions:
        raise CartChanged(version=present)


def remove(*, session: TableSession, guest: str, entries: list[Entry]) -> None:
    """Take the lines of these entries out of the cart, whatever their quantities."""
    lines = CartLine.objects.filter(session=session, guest=guest)
    ordered = {entry.line for entry in entries}
    rows = lines.filter(menu_item__in=[item for item, _options in ordered]).values_list("pk", "menu_item", "options")
    gone = [pk for pk, item, options in rows if (str(item), tuple(map(str, options))) in ordered]
    if gone:
        lines.filter(pk__in=gone).delete()


def _lock_open(session: TableSession) -> TableSession:
    """Lock the session's row, or that of the session it has joined meanwhile. Raises SessionEnded."""
    locked = TableSession.objects.select_for_update(no_key=True).get(pk=session.pk)
    while locked.merged_into_id:
        locked = TableSession.objects.select_for_update(no_key=True).get(pk=locked.merged_into_id)
    if not locked.is_open_to_party:
        raise SessionEnded
    return locked


def _add(session: TableSession, guest: str, item: MenuItem, entry: Entry) -> None:
    """Raises CartFull."""
    line = cart_line(session, guest, *entry.line)
    if line is None:
        if CartLine.objects.filter(session=session, guest=guest).count() >= MAX_LINES:
            raise CartFull
        options = list(entry.line[1])
        line = CartLine(session=session, guest=guest, menu_item=item, options=options, quantity=0)
    line.quantity = min(line.quantity + entry.quantity, MAX_QUANTITY)
    line.special_instructions = _notes(line.special_instructions, entry.special_instructions)
    line.save()


def _merge(entries: list[Entry]) -> dict[tuple[str, tuple[str, ...]], Entry]:
    """The entries by their line: two of the same item with the same options become one."""
    by_line: dict[tuple[str, tuple[str, ...]], Entry] = {}
    for entry in entries:
        if is_uuid(entry.menu_item_id):
            by_line[entry.line] = _sum(by_line[entry.line], entry) if entry.line in by_line else entry
    return by_line


def _sum(one: Entry, other: Entry) -> Entry:
    quantity = min(one.quantity + other.quantity, MAX_QUANTITY)
    notes = _notes(one.special_instructions, other.special_instructions)
    return Entry(one.menu_item_id, quantity, notes, one.options)


def _notes(*notes: str) -> str:
    return "\n".join(dict.fromkeys(note for note in notes if note))[:MAX_NOTE]
