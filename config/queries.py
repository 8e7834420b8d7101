"""Reads about the venue and its staff."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth.models import Group, Permission, User
from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django_otp.plugins.otp_totp.models import TOTPDevice

from config import colours, models
from config.groups import GROUPS
from web.venue import Cover, Logo, MailLogo, Venue, day_of


def venue() -> Venue:
    """Read the venue for `web.venue`, which caches it."""
    row = models.Venue.objects.first()
    if row is None:
        return Venue()
    location_id = str(row.location_id or "")
    return Venue(
        row.name,
        row.address,
        row.vat_number,
        row.accent,
        location_id,
        phone=row.phone,
        day_ends_at=row.day_ends_at,
        lock_after=row.lock_after,
        kitchen_language=row.kitchen_language,
        menu_languages=tuple(row.menu_languages),
        logo=_logo(row),
        cover=_cover(row),
        **_theme(row.accent),
    )


def _logo(row: models.Venue) -> Logo | None:
    if not row.logo:
        return None
    stored = row.logo
    return Logo(_address(stored), stored["width"], stored["height"], stored["ground"], row.logo_has_name)


def _cover(row: models.Venue) -> Cover | None:
    if not row.cover:
        return None
    widest = row.cover[-1]
    srcset = ", ".join(f"{_address(version)} {version['width']}w" for version in row.cover)
    return Cover(_address(row.cover[0]), srcset, widest["width"], widest["height"])


def _address(stored: dict[str, str]) -> str:
    return reverse("venue_picture", args=[stored["digest"]])


def _theme(accent: str) -> dict[str, str]:
    if not accent:
        return {}
    colour = colours.parse(accent.removeprefix("#"))
    light, dark = colours.on_light(colour), colours.on_dark(colour)
    return {"theme": colours.css(light.accent_deep), "theme_dark": colours.css(dark.accent_wash)}


def mail_logo() -> MailLogo | None:
    """Read the mails' logo for `web.venue`, which caches it."""
    row = models.VenuePicture.objects.filter(kind=models.VenuePicture.Kind.MAIL_LOGO).first()
    return MailLogo(bytes(row.data), row.width, row.height) if row else None


def logo() -> bytes | None:
    """Return the logo as pages show it."""
    pictures = models.VenuePicture.objects.filter(kind=models.VenuePicture.Kind.LOGO).values_list("data", flat=True)
    return next((bytes(data) for data in pictures), None)


def venue_picture(digest: str) -> tuple[bytes, str] | None:
    """Return the bytes and the content type of the picture with this hash."""
    pictures = models.VenuePicture.objects.filter(digest=digest).values_list("data", "content_type")[:1]
    return next(((bytes(data), content_type) for data, content_type in pictures), None)


def setup() -> models.Setup:
    """Return the row, or the defaults if there is none yet."""
    return models.Setup.objects.first() or models.Setup(pk=1)


AWAY_AFTER = timedelta(hours=1)  # somebody who did nothing on any shared device is not working any more


@dataclass(frozen=True, slots=True)
class Working:
    first_at: datetime
    last_at: datetime
    is_recent: bool


def working_today(now: datetime) -> dict[int, Working]:
    """Return who has signed in with a PIN today, by user id."""
    today = models.Presence.objects.filter(day=day_of(now))
    return {
        user_id: Working(first_at, last_at, last_at > now - AWAY_AFTER)
        for user_id, first_at, last_at in today.values_list("user_id", "first_at", "last_at")
    }


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who works here, and the name of their group: see `group_of`. `groups` are all of several."""

    user: User
    group: str | None
    groups: list[str]
    working: "Working | None" = None

    @property
    def has_pin(self) -> bool:
        return hasattr(self.user, "pin")

    @property
    def works_as(self) -> list[str]:
        return self.groups or ([self.group] if self.group else [])

    @property
    def name(self) -> str:
        return self.user.get_full_name() or self.user.username


def people() -> list[Person]:
    """Return all staff but superusers, active ones first."""
    groups = Prefetch("groups", Group.objects.order_by("name"))
    theirs = [model.objects.filter(user=OuterRef("pk")) for model in (models.Passkey, TOTPDevice)]
    has_step = Exists(theirs[0]) | Exists(theirs[1])
    users = User.objects.filter(is_superuser=False).annotate(has_second_step=has_step)
    users = users.prefetch_related(groups).select_related("pin")
    working = working_today(timezone.now())
    people = [Person(user, group_of(user), several_groups_of(user), working.get(user.pk)) for user in users]
    return sorted(people, key=lambda person: (not person.user.is_active, person.name.casefold()))


def group_of(user: User) -> str | None:
    """Return the name of the user's group; of several the most powerful that every installation has."""
    names = [group.name for group in user.groups.all()]
    return next((name for name in reversed(GROUPS) if name in names), names[0] if names else None)


def several_groups_of(user: User) -> list[str]:
    """Return the names of the user's groups, the standard ones first; none where it is one at most."""
    order = list(GROUPS)
    names = [group.name for group in user.groups.all()]
    names.sort(key=lambda name: (order.index(name) if name in order else len(order), name))
    return names if len(names) > 1 else []


def assignable_groups(giver: User) -> list[Group]:
    """Return the standard groups, then the owner's own that have no more permissions than `giver`."""
    groups = {group.name: group for group in Group.objects.order_by("name")}
    standard = [groups.pop(name) for name in GROUPS if name in groups]
    return standard + [group for group in groups.values() if has_permissions(giver, group.permissions.all())]


def own_permissions(user: User) -> QuerySet[Permission]:
    """Return the user's permissions beyond those of the standard groups."""
    of_groups = Group.objects.filter(user=user).exclude(name__in=GROUPS)
    return Permission.objects.filter(Q(user=user) | Q(group__in=of_groups))


def has_permissions(user: User, permissions: QuerySet[Permission]) -> bool:
    return user.has_perms(
        [f"{app}.{codename}" for app, codename in permissions.values_list("content_type__app_label", "codename")]
    )


# --- shared devices ---------------------------------------------------------------------------------------


def colleagues() -> list[Person]:
    """Return whoever may sign in with a PIN, first those who are working; of the others `working` is None."""
    working = {user_id: work for user_id, work in working_today(timezone.now()).items() if work.is_recent}
    users = User.objects.filter(is_active=True, pin__isnull=False)
    found = [Person(user, None, [], working.get(user.pk)) for user in users]
    return sorted(found, key=lambda person: (person.working is None, person.name.casefold(), person.user.username))


def devices(here: models.Device | None) -> list[models.Device]:
    """Return all, those in use first; the browser that asks has `is_here`."""
    found = list(models.Device.objects.select_related("user").order_by("-revoked_at", "name", "pk"))
    found.sort(key=lambda device: device.revoked_at is not None)
    for device in found:
        device.is_here = here is not None and device.pk == here.pk  # type: ignore[attr-defined]
    return found
