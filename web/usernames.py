"""Treats user names that people could take for one another as one. See "Staff" in docs/behaviour/common.md."""

import unicodedata
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from web.models import FoldedUsername

TAKEN = _("Somebody has this user name already, or one that looks like it. Please choose another.")
MIXED = _("A user name has letters of one alphabet only.")

LONGEST = 150  # characters, as Django has it
_ALPHABETS = {"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC"}  # which share shapes of letters
# Small letters of the others that look like these Latin ones, as they are or as capitals.
_LATIN = dict(
    zip(
        "аьвсԁеҽғгһнӏіјкмопрԛѕтцѵԝхуүзαβγεζηικμνορτυχωı",
        "abbcdeefrhhlijkmonpqstuvwxyy3abyezhikmvoptuxwi",
        strict=True,
    )
)
_LOOK_ALIKES = str.maketrans(_LATIN)


def fold(username: str) -> str:
    """Return the form that is compared: without case, width, the dot of a Turkish i, and the alphabet of look-alikes.

    Longer text than a user name is returned as it is: folding takes quadratic time.
    """
    if len(username) > LONGEST:
        return username
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", username).casefold())
    return folded.replace("i\u0307", "i").translate(_LOOK_ALIKES)


def is_mixed(username: str) -> bool:
    """Return whether the name mixes alphabets that share shapes."""
    return len({unicodedata.name(letter, "").partition(" ")[0] for letter in username} & _ALPHABETS) > 1


def is_taken(username: str, *, but_by: int | None = None) -> bool:
    """Return whether a user other than the one of this id has a name that folds to the same."""
    return _named(username).exclude(pk=but_by).exists()


def own_spelling(username: str) -> str:
    """Return the stored spelling of this user name, an exact match first."""
    names = list(_named(username).values_list("username", flat=True))
    return username if username in names or not names else names[0]


def _named(username: str) -> Any:
    return User.objects.filter(Q(username=username) | Q(folded_username__text=fold(username)))


def refuse(username: str, *, but_by: int | None = None) -> None:
    """Raise ValidationError for a new user name that mixes alphabets or is taken."""
    if is_mixed(username):
        raise ValidationError(MIXED)
    if is_taken(username, but_by=but_by):
        raise ValidationError(TAKEN)


# --- every way in which a user is stored ------------------------------------------------------------


def check_new(instance: User, *, raw: bool, update_fields: Any = None, **_kwargs: Any) -> None:
    """Receive `pre_save` of users. Names that are not changed are not checked."""
    instance.has_new_username = False  # type: ignore[attr-defined]
    if raw or (update_fields is not None and "username" not in update_fields):
        return
    if User.objects.filter(pk=instance.pk, username=instance.username).exists():
        return
    refuse(instance.username, but_by=instance.pk)
    instance.has_new_username = True  # type: ignore[attr-defined]


def store_folded(instance: User, **_kwargs: Any) -> None:
    """Receive `post_save` of users. Raises IntegrityError for the second of two look-alikes stored at once."""
    if instance.has_new_username:  # type: ignore[attr-defined]
        FoldedUsername.objects.update_or_create(user=instance, defaults={"text": fold(instance.username)})
