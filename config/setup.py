"""The checklist before the doors open: steps, whether they are done, and links to them."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Count
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from config import doctor, models, queries
from config.groups import SET_UP
from config.services import second_step
from loyalty.models import Location, Reward
from restaurant.menu.queries import WITHOUT_STATION
from restaurant.models import MenuItem, OrderingRules
from restaurant.tables.queries import count_tables
from web.hosts import is_own_host_local
from web.templatetags.moments import whole_day

UNNAMED = "Regulars"  # the default of VENUE_NAME
SERVER_STEPS = ("address", "mail", "backup")  # by name


@dataclass(frozen=True, slots=True)
class Link:
    title: str
    url: str


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the checklist. `fact` is its state in a sentence. The first link is the next thing to do."""

    name: str
    title: str
    done: bool
    fact: str
    links: list[Link] = field(default_factory=list)
    essential: bool = True


@dataclass(frozen=True, slots=True)
class Checklist:
    steps: list[Step]
    hint_hidden: bool

    @property
    def left(self) -> list[Step]:
        """The essential steps that are not done."""
        return [step for step in self.steps if step.essential and not step.done]

    @property
    def ready(self) -> bool:
        return not self.left

    @property
    def next(self) -> str | None:
        """The name of the first step that is left."""
        return self.left[0].name if self.left else None


def checklist(user: User) -> Checklist:
    progress = queries.setup()
    steps = [*_essential_steps(user, progress), _gate(), _second_step(user, is_settled=progress.without_second_step)]
    steps += [_address(), _mail(progress.mail_tested_at), _backup()]
    return Checklist(steps, progress.hint_hidden)


def left(user: Any) -> list[Step]:
    """Return the essential steps that are left; none for users who may not set up."""
    if not user.has_perm(SET_UP):
        return []
    return [step for step in _essential_steps(user, queries.setup()) if not step.done]


def hint(left: list[Step]) -> Step | None:
    """Return the next step; None once all is done or the hint is hidden."""
    return first_of(left) if left and not queries.setup().hint_hidden else None


def first_of(left: list[Step]) -> Step | None:
    """Return the next step, or None."""
    if wait_for_address(left):
        return replace(left[0], fact=_("Their codes carry the address: settle that before you print them."))
    return left[0] if left else None


def wait_for_address(left: list[Step]) -> bool:
    """Return whether the cards are next, but the address that they carry is not settled."""
    return bool(left) and left[0].name == "cards" and bool(left[0].links) and not _address().done


def _admin(model: str, page: str = "changelist") -> str:
    return reverse(f"admin:{model}_{page}")


# --- before guests can order ------------------------------------------------------------------------


def _essential_steps(user: User, progress: models.Setup) -> Iterator[Step]:
    """Yield the steps lazily, because each takes a query."""
    venue = queries.venue()
    yield _name(venue.name)
    yield _menu()
    tables = count_tables(since=progress.cards_printed_at)
    yield _tables(tables.total, tables.without_code)
    yield _cards(tables.total, tables.newer, progress.cards_printed_at)
    yield _staff(user)
    yield _rewards(has_location_of_tables=bool(venue.location_id))


def _name(stored: str) -> Step:
    name = stored or settings.VENUE_NAME
    done = bool(stored) or name != UNNAMED
    return Step(
        "name",
        _("Name and look"),
        done,
        name if done else _("Guests read “%(name)s” until you choose a name.") % {"name": name},
        [Link(_("Change") if done else _("Name the restaurant"), _admin("config_venue"))],
    )


def _menu() -> Step:
    counted = MenuItem.objects.aggregate(all=Count("pk"), homeless=Count("pk", filter=WITHOUT_STATION))
    dishes = counted["all"]
    if dishes:
        fact = ngettext("%(count)d dish", "%(count)d dishes", dishes) % {"count": dishes}
        links = [Link(_("Change"), _admin("restaurant_menuitem"))]
        if counted["homeless"]:
            fact = f"{fact}. {dishes_without_station(counted['homeless'])}"
            links.append(Link(_("Choose stations"), _admin("restaurant_category")))
    else:
        fact = _("No dishes yet. Type them in, or import a list.")
        links = [
            Link(_("Add a dish"), _admin("restaurant_menuitem", "add")),
            Link(_("Import a file"), _admin("restaurant_menuitem", "import")),
        ]
    return Step("menu", _("Menu"), bool(dishes), fact, links)


def dishes_without_station(number: int) -> str:
    sentence = ngettext("%(count)s dish belongs to no station", "%(count)s dishes belong to no station", number)
    return sentence % {"count": number}


def _tables(total: int, without_code: int) -> Step:
    add = Link(_("Add more") if total else _("Add tables"), reverse("table_range"))
    fact = ngettext("%(count)d table", "%(count)d tables", total) % {"count": total}
    if not total:
        fact = _("No tables yet. Add them as a range, such as 1 to 20.")
    if without_code:
        sentence = ngettext("%(count)d has no QR code yet.", "%(count)d have no QR code yet.", without_code)
        fact = f"{fact}; {sentence % {'count': without_code}}"
    return Step("tables", _("Tables"), total > 0 and not without_code, fact, [add])


def _cards(tables: int, newer: int, printed_at: datetime | None) -> Step:
    done = bool(tables and printed_at and not newer)
    links = [Link(_("Print again") if done else _("Print the cards"), reverse("table_cards"))] if tables else []
    if newer and printed_at:
        since = timezone.localdate(printed_at)
        links.append(Link(_("Print the new ones"), f"{reverse('table_cards')}?since={since}"))
    if not tables:
        fact = _("Once there are tables: a card with a QR code for each.")
    elif printed_at is None:
        fact = _("Every table needs its card with the QR code.")
    elif newer:
        sentence = ngettext("%(count)d table is new since then.", "%(count)d tables are new since then.", newer)
        fact = f"{_('Printed on %(day)s.') % {'day': whole_day(printed_at)}} {sentence % {'count': newer}}"
    else:
        fact = _("Printed %(day)s") % {"day": whole_day(printed_at)}
    return Step("cards", _("Table cards"), done, fact, links)


def _staff(user: User) -> Step:
    others = User.objects.filter(is_active=True, is_superuser=False).exclude(pk=user.pk).count()
    if others:
        fact = ngettext("%(count)d person besides you", "%(count)d people besides you", others) % {"count": others}
    else:
        fact = _("Nobody but you can sign in. A waiter needs an account for the floor, a cashier for the till.")
    return Step(
        "staff", _("Staff"), others > 0, fact, [Link(_("Change") if others else _("Add staff"), reverse("staff"))]
    )


def _rewards(*, has_location_of_tables: bool) -> Step:
    locations, rewards = Location.objects.count(), Reward.objects.filter(available=True).count()
    if not locations:
        fact = _("Members collect points at a location: your restaurant is one.")
        links = [Link(_("Add a location"), _admin("loyalty_location", "add"))]
    elif not rewards:
        fact = _("Members need something to spend their points on.")
        links = [Link(_("Add a reward"), _admin("loyalty_reward", "add"))]
    elif not has_location_of_tables:
        fact = _("Say at which location the tables earn points.")
        links = [Link(_("Choose the location"), _admin("loyalty_programme"))]
    else:
        fact = ngettext("%(count)d reward", "%(count)d rewards", rewards) % {"count": rewards}
        links = [Link(_("Rewards"), _admin("loyalty_reward")), Link(_("Rules"), _admin("loyalty_programme"))]
    done = bool(locations and rewards and has_location_of_tables)
    return Step("rewards", _("Points and rewards"), done, fact, links)


# --- what can wait ----------------------------------------------------------------------------------


def _gate() -> Step:
    rules = OrderingRules.objects.first()
    fact = _("Now: %(who)s") % {"who": (rules or OrderingRules()).get_gate_display()}
    link = Link(_("Choose"), _admin("restaurant_orderingrules"))
    return Step("gate", _("Who may order"), rules is not None, fact, [link], essential=False)


def _second_step(user: User, *, is_settled: bool) -> Step:
    has_one = bool(second_step.factors(user))
    fact = _("You have one.") if has_one else _("A code from your phone, after your password.")
    links = [Link(_("Change") if has_one else _("Add one"), reverse("account"))]
    return Step("second-step", _("Second step at sign-in"), has_one or is_settled, fact, links, essential=False)


def _address() -> Step:
    problems = [sentence for check in (doctor.host, doctor.https, doctor.proxy) if (sentence := check())]
    if is_own_host_local():
        problems.append(_("No phone can open %(address)s.") % {"address": settings.APP_BASE_URL})
    fact = " ".join(problems) or settings.APP_BASE_URL
    return Step("address", _("Address and HTTPS"), not problems, fact, essential=False)


def _mail(tested_at: datetime | None) -> Step:
    problem = doctor.mail() or doctor.unsent_mail()
    fact = problem or _("Nobody has tried yet whether mails arrive.")
    if tested_at and not problem:
        fact = _("The mail server took a test mail on %(day)s.") % {"day": whole_day(tested_at)}
    return Step("mail", _("Mail"), bool(tested_at and not problem), fact, essential=False)


def _backup() -> Step:
    last = doctor.last_backup()
    problem = doctor.backup()
    fact = problem or _("There is no backup yet. Run manage.py backup every day: deploy/systemd has a timer for it.")
    if last and not problem:
        fact = _("Last made on %(day)s.") % {"day": whole_day(last)}
    return Step("backup", _("Backup"), bool(last and not problem), fact, essential=False)
