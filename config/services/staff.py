"""Adds staff, and changes what they may do.

Every change locks the rows of the groups, so there is one at a time: of two requests for the same user name, and of two
managers who deactivate each other the second is refused.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from axes.models import AccessAttempt
from django.contrib.admin.models import ADDITION, CHANGE, LogEntry
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import Group, User
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from config import queries
from config.errors import GroupUnknown, NotAllowed, NotToOneself, StaffUnknown, UsernameTaken
from config.groups import GROUPS, MANAGE_STAFF, MANAGERS
from config.models import Pin, StaffToken, TemporaryPassword
from config.services import devices, passwords, second_step
from web import usernames


@dataclass(frozen=True, slots=True)
class Change:
    """A changed user. `password` and `pin` are new ones, which are stored nowhere; None if they were not reset."""

    user: User
    password: str | None
    pin: str | None = None

    @property
    def group(self) -> str | None:
        return queries.group_of(self.user)

    @property
    def groups(self) -> list[str]:
        return queries.several_groups_of(self.user)

    @property
    def has_pin(self) -> bool:
        return Pin.objects.filter(user=self.user).exists()

    @property
    def working(self) -> queries.Working | None:
        return queries.working_today(timezone.now()).get(self.user.pk)


def add(*, username: str, name: str, groups: Sequence[str], by: User) -> Change:
    """Create an account with a password that has to be changed at the first sign-in.

    Raises UsernameTaken, GroupUnknown, NotAllowed.
    """
    password = passwords.generate()
    first, _space, last = name.partition(" ")
    user = User(username=username, first_name=first, last_name=last, password=make_password(password))
    try:
        with transaction.atomic():
            actor = _lock_and_authorize(by)
            if usernames.is_taken(username):
                raise UsernameTaken
            chosen = [_assignable_group(group, actor) for group in groups]
            user.is_staff = MANAGERS in groups
            user.save(force_insert=True)
            user.groups.set(chosen)
            TemporaryPassword.objects.create(user=user)
            _log(actor, user, ADDITION, [_("Added to “%(group)s”.") % {"group": ", ".join(groups)}])
    except IntegrityError as error:  # a superuser's form in the admin, which takes no lock, was first
        if not usernames.is_taken(username):
            raise
        raise UsernameTaken from error
    return Change(user, password)


def change(
    *,
    username: str,
    by: User,
    group: str | None = None,
    groups: Sequence[str] | None = None,
    active: bool | None = None,
    reset_password: bool = False,
    reset_pin: bool = False,
    remove_pin: bool = False,
    remove_second_step: bool = False,
) -> Change:
    """Change the values that are not None. `group` moves somebody who has another one to it alone.

    Raises StaffUnknown, GroupUnknown, NotAllowed, NotToOneself."""
    password = passwords.generate() if reset_password else None
    pin = devices.random_pin() if reset_pin else None
    # Slow on purpose: not while others wait for the lock.
    hashed, hashed_pin = make_password(password), make_password(pin)
    with transaction.atomic():
        actor = _lock_and_authorize(by)
        user = _changeable(username, actor)
        done = []
        if groups is None and group is not None and group != queries.group_of(user):
            groups = [group]
        if groups is not None and set(groups) != {each.name for each in user.groups.all()}:
            done.append(_move(user, [_assignable_group(name, actor) for name in groups], actor))
        if active is not None and active != user.is_active:
            done.append(_activate(user) if active else _deactivate(user, actor))
        if remove_second_step:
            if user == actor:
                raise NotToOneself
            second_step.remove(user, by=actor)
        if password:
            done.append(_set_temporary_password(user, hashed))
        if pin or (remove_pin and hasattr(user, "pin")):
            devices.set_pin(user=user, hashed=hashed_pin if pin else None)
            done.append(_("Given a new PIN.") if pin else _("PIN removed."))
        if done:
            _log(actor, user, CHANGE, done)
    return Change(user, password, pin)


def _lock_and_authorize(by: User) -> User:
    """Lock the groups, and return the acting user as stored now. Raises NotAllowed."""
    list(Group.objects.select_for_update(no_key=True).order_by("pk").values_list("pk"))
    actor = User.objects.get(pk=by.pk)
    if not actor.has_perm(MANAGE_STAFF):
        raise NotAllowed(_("You are not a manager any more."))
    return actor


def _changeable(username: str, actor: User) -> User:
    user = User.objects.filter(username=username).first() if "\0" not in username else None
    if user is None:
        raise StaffUnknown
    # Whoever gives somebody a password could sign in as them.
    if user.is_superuser or not queries.has_permissions(actor, queries.own_permissions(user)):
        raise NotAllowed
    return user


def _assignable_group(name: str, actor: User) -> Group:
    groups = {group.name: group for group in queries.assignable_groups(actor)}
    if name in groups:
        return groups[name]
    raise NotAllowed if Group.objects.filter(name=name).exists() else GroupUnknown


def _move(user: User, groups: Sequence[Group], actor: User) -> str:
    if user == actor:
        raise NotToOneself
    user.groups.set(groups)
    names = [group.name for group in groups]
    if not GROUPS.keys().isdisjoint(names):  # for a group of the owner's own, the admin says who may open it
        user.is_staff = MANAGERS in names
        user.save(update_fields=["is_staff"])
    return _("Moved to “%(group)s”.") % {"group": ", ".join(names)}


def _activate(user: User) -> str:
    user.is_active = True
    user.save(update_fields=["is_active"])
    return _("Activated.")


def _deactivate(user: User, actor: User) -> str:
    """Deactivate the user. Open sockets notice within seconds that the session has ended."""
    if user == actor:
        raise NotToOneself
    user.is_active = False
    user.save(update_fields=["is_active"])
    StaffToken.objects.filter(user=user).delete()
    _end_sessions(user)
    return _("Deactivated.")


def _end_sessions(user: User) -> None:
    """Delete the user's sessions by looking through all: only staff have sessions, so there are few."""
    present = Session.objects.filter(expire_date__gte=timezone.now())
    theirs = [session.pk for session in present.iterator() if session.get_decoded().get(SESSION_KEY) == str(user.pk)]
    Session.objects.filter(pk__in=theirs).delete()


def _set_temporary_password(user: User, hashed: str) -> str:
    """Set a temporary password, which ends the user's sessions, and reset failed sign-ins."""
    user.password = hashed
    user.save(update_fields=["password"])
    TemporaryPassword.objects.get_or_create(user=user)
    AccessAttempt.objects.filter(username=usernames.fold(user.username)).delete()
    return _("Given a new password.")


def _log(actor: User, user: User, action: int, sentences: list[str]) -> None:
    """Add an entry to the history on the user's admin page."""
    LogEntry.objects.create(
        user=actor,
        content_type=ContentType.objects.get_for_model(User),
        object_id=str(user.pk),
        object_repr=user.username[:200],
        action_flag=action,
        change_message=" ".join(sentences),
    )
