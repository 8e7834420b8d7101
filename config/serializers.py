"""The JSON of requests and responses about the staff, and about points from the table."""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from loyalty.members.serializers import Email
from web import usernames
from web.fields import Line, OmitEmptySerializer, Text, TrueOrFalse

USERNAME_LENGTH = 150
NAME_LENGTH = 150


@extend_schema_field(
    {"type": "string", "minLength": 1, "maxLength": USERNAME_LENGTH, "pattern": r"^[A-Za-z0-9_@+.-]+$"}
)
class Username(Line):
    """A user name as Django's own forms take it, in its normal form, that can end an address."""

    default_error_messages = {
        "odd": _("A user name has letters, digits and @ . + - _ only, and no spaces."),
        "mixed": usernames.MIXED,
        "long": _("A user name has at most %(most)s characters.") % {"most": USERNAME_LENGTH},
    }

    def to_internal_value(self, data: Any) -> str:
        username: str = User.normalize_username(super().to_internal_value(data))
        try:
            UnicodeUsernameValidator()(username)
        except ValidationError:
            self.fail("odd")
        if not username.strip("."):  # browsers shorten addresses that end with these
            self.fail("odd")
        if usernames.is_mixed(username):
            self.fail("mixed")
        if len(username) > USERNAME_LENGTH:
            self.fail("long")
        return username


class Person(OmitEmptySerializer):
    """`group` and `lastSignIn` may be null. Of several groups `group` is the most powerful."""

    username = serializers.CharField(source="user.username")
    name = serializers.CharField(source="user.get_full_name")
    group = serializers.CharField(allow_null=True)
    groups = serializers.ListField(child=serializers.CharField(), required=False, help_text="Only of several.")
    active = serializers.BooleanField(source="user.is_active")
    lastSignIn = serializers.DateTimeField(source="user.last_login", allow_null=True)


class StaffList(serializers.Serializer):
    staff = Person(many=True)


class NewPersonBody(serializers.Serializer):
    username = Username()
    name = Line(max_length=NAME_LENGTH)
    group = Text(max_length=150, help_text="Cashiers, Floor, Managers, or a group of the owner's own.")
    # In place of `group`: several.
    groups: Any = serializers.ListField(child=Text(max_length=150), allow_empty=False, required=False)

    def get_fields(self) -> dict[str, Any]:
        fields: dict[str, Any] = super().get_fields()
        sent = getattr(self, "initial_data", None)
        fields["group"].required = not (isinstance(sent, Mapping) and "groups" in sent)
        return fields

    def validate(self, values: dict[str, Any]) -> dict[str, Any]:
        group = values.pop("group", "")
        return {"groups": [group]} | values

    def validate_name(self, name: str) -> str:
        return " ".join(name.split())


class NewPerson(serializers.Serializer):
    """`password` is never shown again, and has to be changed at the first sign-in."""

    username = serializers.CharField(source="user.username")
    password = serializers.CharField()


class PersonBody(serializers.Serializer):
    group = Text(max_length=150, required=False)
    groups: Any = serializers.ListField(child=Text(max_length=150), allow_empty=False, required=False)
    active = TrueOrFalse(required=False)
    resetPassword = TrueOrFalse(required=False, source="reset_password")


class ChangedPerson(Person):
    """`password` is there only if it was reset."""

    password = serializers.CharField(required=False)


# --- setup ---------------------------------------------------------------------------------------------


class SetupLink(serializers.Serializer):
    title = serializers.CharField()
    url = serializers.CharField()


class SetupStep(serializers.Serializer):
    name = serializers.CharField()
    title = serializers.CharField()
    done = serializers.BooleanField()
    essential = serializers.BooleanField()
    fact = serializers.CharField()
    links = SetupLink(many=True)


class Checklist(serializers.Serializer):
    """`next` is the name of the first essential step that is not done; null if `ready`."""

    ready = serializers.BooleanField()
    next = serializers.CharField(allow_null=True)
    hintHidden = serializers.BooleanField(source="hint_hidden")
    steps = SetupStep(many=True)


class SetupBody(serializers.Serializer):
    cardsPrinted = TrueOrFalse(required=False, source="cards_printed")
    hintHidden = TrueOrFalse(required=False, source="hint_hidden")


class TestMailBody(serializers.Serializer):
    to = Email(max_length=254)
