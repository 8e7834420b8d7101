"""The JSON of requests and responses about the staff, and about points from the table."""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from config.services.devices import is_guessed_first
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
        if not username.strip(".") or username == "devices":  # browsers shorten the first, `/staff/devices` is a page
            self.fail("odd")
        if usernames.is_mixed(username):
            self.fail("mixed")
        if len(username) > USERNAME_LENGTH:
            self.fail("long")
        return username


class Working(serializers.Serializer):
    """When somebody who signs in with a PIN was first and last seen on the venue's present day."""

    since = serializers.DateTimeField(source="first_at")
    lastSeen = serializers.DateTimeField(source="last_at")
    now = serializers.BooleanField(source="is_recent")


class Person(OmitEmptySerializer):
    """`group` and `lastSignIn` may be null. Of several groups `group` is the most powerful."""

    username = serializers.CharField(source="user.username")
    name = serializers.CharField(source="user.get_full_name")
    group = serializers.CharField(allow_null=True)
    groups = serializers.ListField(child=serializers.CharField(), required=False, help_text="Only of several.")
    active = serializers.BooleanField(source="user.is_active")
    lastSignIn = serializers.DateTimeField(source="user.last_login", allow_null=True)
    hasPin = serializers.BooleanField(source="has_pin", required=False)
    working: Any = Working(required=False, help_text="Today, of somebody who has signed in with a PIN.")
    secondStep = serializers.BooleanField(source="user.has_second_step", required=False, help_text="Only if true.")


class StaffList(serializers.Serializer):
    staff = Person(many=True)


class NewPersonBody(serializers.Serializer):
    username = Username()
    name = Line(max_length=NAME_LENGTH)
    group = Text(max_length=150, help_text="Kitchen, Cashiers, Floor, Managers, or a group of the owner's own.")
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
    resetPin = TrueOrFalse(required=False, source="reset_pin", help_text="A new one, by which the person signs in.")
    removePin = TrueOrFalse(required=False, source="remove_pin")
    removeSecondStep = TrueOrFalse(required=False, source="remove_second_step")


class ChangedPerson(Person):
    """`password` and `pin` are there only if they were reset."""

    password = serializers.CharField(required=False)
    pin = serializers.CharField(required=False)


# --- shared devices ------------------------------------------------------------------------------------


class Device(OmitEmptySerializer):
    """`signedIn` is a user name; `here` tells that it is the browser that asks."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    since = serializers.DateTimeField(source="enrolled_at")
    enrolledBy = serializers.CharField(source="enrolled_by_name")
    lastSeen = serializers.DateTimeField(source="last_seen_at", allow_null=True)
    signedIn = serializers.CharField(source="user.username", required=False, default=None)
    here = serializers.BooleanField(source="is_here", required=False, default=False)
    revokedAt = serializers.DateTimeField(source="revoked_at", required=False)


class DeviceList(serializers.Serializer):
    devices = Device(many=True)


class DeviceBody(serializers.Serializer):
    name = Line(max_length=60)


class RevokedBody(serializers.Serializer):
    revoked = TrueOrFalse()

    def validate_revoked(self, revoked: bool) -> bool:
        if not revoked:
            raise serializers.ValidationError(_("A revoked device has to be enrolled again, in its own browser."))
        return revoked


class Colleague(OmitEmptySerializer):
    username = serializers.CharField(source="user.username")
    name = serializers.CharField()
    workingSince = serializers.DateTimeField(source="working.first_at", required=False, default=None)


class OnDevice(serializers.Serializer):
    """`locksIn`: seconds until the device locks by itself."""

    username = serializers.CharField(source="user.username")
    locksIn = serializers.IntegerField(source="locks_in")


class SwitchBoard(OmitEmptySerializer):
    """Who may sign in here with a PIN, first those who are working. `current` is who is signed in."""

    device = serializers.CharField(source="device.name")
    current: Any = OnDevice(required=False)
    people = Colleague(many=True)


class SwitchBody(serializers.Serializer):
    username = Text(max_length=USERNAME_LENGTH)
    pin = Text(max_length=100)
    next = Text(max_length=2000, required=False, allow_blank=True, default="", help_text="A path of ours, for a form.")


class PinState(serializers.Serializer):
    setAt = serializers.DateTimeField(allow_null=True)


class PinBody(serializers.Serializer):
    """`pin`: 4 to 8 digits, null to remove it. `password` is the person's own."""

    pin = serializers.RegexField(
        r"^[0-9]{4,8}\Z", allow_null=True, error_messages={"invalid": _("4 to 8 digits, please.")}
    )
    password = Text(max_length=4096, trim_whitespace=False)

    def validate_pin(self, pin: str | None) -> str | None:
        if pin and is_guessed_first(pin):
            raise serializers.ValidationError(_("Others would guess this PIN first. Please choose another."))
        return pin


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
    withoutSecondStep = TrueOrFalse(required=False, source="without_second_step")


class TestMailBody(serializers.Serializer):
    to = Email(max_length=254)
