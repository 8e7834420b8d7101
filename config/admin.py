from typing import Any

from axes.admin import AccessAttemptAdmin, AccessLogAdmin
from axes.models import AccessAttempt, AccessLog
from django import forms
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import (
    AdminPasswordChangeForm,
    AdminUserCreationForm,
    SetUnusablePasswordMixin,
    UserChangeForm,
)
from django.contrib.auth.models import User
from django.db.models import DateTimeField, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy
from django.utils.translation import gettext_lazy as _
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from config.models import StaffToken, Venue
from config.venue_form import VenueForm, cover_preview, logo_preview
from loyalty.models import Location, Programme
from loyalty.points.admin.programme import ProgrammeAdmin
from restaurant.menu.admin.fields import TIME_INPUTS
from web import usernames
from web.admin import MomentField, OneRowAdmin


class PointsAndTiersForm(forms.ModelForm):
    location = forms.ModelChoiceField(
        Location.objects.order_by("name"),
        label=gettext_lazy("Location for points"),
        required=False,
        help_text=gettext_lazy("Orders at the tables earn points here. Without one they earn none."),
    )

    class Meta:
        model = Programme
        fields: tuple[str, ...] = ()  # the admin names them

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial.setdefault("location", Venue.objects.values_list("location", flat=True).first())


# Those of the second step have the secrets on their pages.
admin.site.unregister([User, AccessLog, AccessAttempt, TOTPDevice, StaticDevice])


class _DistinctUsername:
    """Refuses a user name that could be taken for somebody else's."""

    instance: User
    cleaned_data: dict[str, Any]

    def clean_username(self) -> str:
        username: str = self.cleaned_data["username"]
        if username != self.initial.get("username"):  # type: ignore[attr-defined]
            usernames.refuse(username, but_by=self.instance.pk)
        return username


class AccountForm(_DistinctUsername, UserChangeForm):
    pass


class NewAccountForm(_DistinctUsername, AdminUserCreationForm):
    pass


class PasswordForm(AdminPasswordChangeForm):
    """Without the warning that Django has in English alone."""

    usable_password_help_text = SetUnusablePasswordMixin.usable_password_help_text  # type: ignore[assignment]


@admin.register(User)
class AccountAdmin(UserAdmin):
    form = AccountForm
    add_form = NewAccountForm
    change_password_form = PasswordForm
    search_fields = ["username__typed", "first_name__typed", "last_name__typed", "email__typed"]
    readonly_fields = ["last_login", "date_joined"]


@admin.register(AccessLog)
class SignInAdmin(AccessLogAdmin):
    show_full_result_count = False


@admin.register(AccessAttempt)
class FailedSignInAdmin(AccessAttemptAdmin):
    show_full_result_count = False


@admin.register(StaffToken)
class StaffTokenAdmin(admin.ModelAdmin):
    """Lists, renames and revokes (deletes) tokens; `manage.py create_token` makes them."""

    list_display = ["name", "user", "token_start", "created", "expiry"]
    list_filter = ["user"]
    fields = ["name", "user", "token_start", "created", "expiry"]
    readonly_fields = ["user", "token_start", "created"]
    formfield_overrides = {DateTimeField: {"form_class": MomentField}}

    def get_queryset(self, request: HttpRequest) -> QuerySet[StaffToken]:
        """Hide superusers' tokens from other users, whatever their permissions."""
        tokens: QuerySet[StaffToken] = super().get_queryset(request)
        return tokens if request.user.is_superuser else tokens.exclude(user__is_superuser=True)

    @admin.display(description=_("starts with"))
    def token_start(self, token: StaffToken) -> str:
        return f"{token.token_key[:6]}…"

    def has_add_permission(self, request: object) -> bool:
        return False


@admin.register(Venue)
class VenueAdmin(OneRowAdmin):
    form = VenueForm
    readonly_fields = ["logo_now", "cover_now"]
    fieldsets = [
        (_("Name and address"), {"fields": ["name", "address", "phone", "vat_number"]}),
        (_("Colour"), {"fields": ["accent"]}),
        (_("Reports"), {"fields": ["day_ends_at"]}),
        (_("Shared devices"), {"fields": ["lock_after"]}),
        (_("Kitchen"), {"fields": ["kitchen_language"]}),
        (_("Menu"), {"fields": ["menu_languages"]}),
    ]

    formfield_overrides = TIME_INPUTS

    class Media:
        js = ["js/admin_files.js"]

    def get_fieldsets(self, request: HttpRequest, obj: Venue | None = None) -> Any:
        """Show stored pictures, with a box to remove them."""
        logo = ["logo_now", "logo_remove"] if obj and obj.logo else []
        cover = ["cover_now", "cover_remove"] if obj and obj.cover else []
        return [
            *super().get_fieldsets(request, obj),
            (_("Logo"), {"fields": [*logo, "logo_file", "logo_has_name"]}),
            (_("Cover picture"), {"fields": [*cover, "cover_file", "cover_part"]}),
        ]

    @admin.display(description=_("now"))
    def logo_now(self, venue: Venue) -> str:
        return logo_preview(venue)

    @admin.display(description=_("now"))
    def cover_now(self, venue: Venue) -> str:
        return cover_preview(venue)

    def save_model(self, request: HttpRequest, obj: Venue, form: VenueForm, change: bool) -> None:
        """Save changed fields only, so that a picture that somebody else stored meanwhile stays."""
        stored = {field.name for field in Venue._meta.get_fields()}
        changed = [name for name in form.changed_data if name in stored]
        obj.save(update_fields=changed if change else None)
        form.save_pictures(obj)


admin.site.unregister(Programme)


@admin.register(Programme)
class PointsAndTiersAdmin(ProgrammeAdmin):
    """Adds the location of the tables, which loyalty does not know, for users who may change the venue."""

    def get_form(self, request: HttpRequest, obj: Programme | None = None, change: bool = False, **kwargs: Any) -> Any:
        form = PointsAndTiersForm if self._has_location(request, obj) else forms.ModelForm
        return super().get_form(request, obj, change, form=form, **kwargs)

    def get_fieldsets(self, request: HttpRequest, obj: Programme | None = None) -> Any:
        fieldsets = [*super().get_fieldsets(request, obj)]
        if self._has_location(request, obj):
            fieldsets.append((_("At the tables"), {"fields": ["location"]}))
        return fieldsets

    def _has_location(self, request: HttpRequest, obj: Programme | None) -> bool:
        may_write = self.has_change_permission(request, obj) if obj else self.has_add_permission(request)
        return may_write and request.user.has_perm("config.change_venue")

    def save_model(self, request: HttpRequest, obj: Programme, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if "location" in form.changed_data:
            Venue.objects.update_or_create(pk=1, defaults={"location": form.cleaned_data["location"]})
