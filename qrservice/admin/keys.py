"""The admin of API keys.

A key's secret is only in the response to the request that created it. It is never put into a message, because messages
are stored in a cookie or a session until the next page.
"""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db.models import DateTimeField, QuerySet
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.debug import sensitive_variables

from qrservice.models import ApiKey
from qrservice.services import keys
from web.admin import MomentField, own_page


class KeyForm(forms.ModelForm):
    def clean(self) -> dict[str, Any] | None:
        values = super().clean() or {}
        if not values.get("can_generate") and not values.get("can_read_analytics"):
            raise ValidationError(_("Choose at least one scope."))
        return values

    def clean_expires_at(self) -> Any:
        expires_at = self.cleaned_data["expires_at"]
        if expires_at is not None and expires_at <= timezone.now():
            raise ValidationError(_("This date is in the past, so the key would never be valid."))
        return expires_at


class KeyColumns:
    """Columns for lists of keys, whose querysets must select the related `successor`."""

    @admin.display(description=gettext_lazy("key"), ordering="prefix")
    def start(self, key: ApiKey) -> str:
        return f"{key.prefix}…"

    @admin.display(description=gettext_lazy("scopes"))
    def scopes(self, key: ApiKey) -> str:
        scopes = [(key.can_generate, "generate"), (key.can_read_analytics, "analytics")]
        return ", ".join(name for has_it, name in scopes if has_it)

    @admin.display(description=gettext_lazy("expires"), ordering="expires_at")
    def expiry(self, key: ApiKey) -> Any:
        return key.expires_at or _("never")

    @admin.display(description=gettext_lazy("state"))
    def state(self, key: ApiKey) -> str:
        if key.revoked_at is not None:
            return _("revoked")
        if not key.is_valid:
            return _("expired")
        return _("replaced, still valid") if hasattr(key, "successor") else _("valid")


@admin.register(ApiKey)
class ApiKeyAdmin(KeyColumns, admin.ModelAdmin):
    """Keys are created, rotated and revoked by `services.keys`, and can't be edited."""

    form = KeyForm
    list_display = ["start", "name", "account", "scopes", "created_at", "expiry", "state"]
    list_filter = ["account"]
    list_select_related = ["account", "successor"]
    ordering = ["-pk"]
    search_fields = ["prefix", "name__typed", "account__name__typed"]
    search_help_text = gettext_lazy("Beginning of the key, name or account")
    formfield_overrides = {DateTimeField: {"form_class": MomentField}}
    actions = ["rotate", "revoke"]

    def get_fields(self, request: HttpRequest, obj: ApiKey | None = None) -> Any:
        if obj is None:
            return ["account", "name", "can_generate", "can_read_analytics", "expires_at"]
        return ["start", "account", "name", "scopes", "created_at", "expiry", "revoked_at", "state"]

    def get_readonly_fields(self, request: HttpRequest, obj: ApiKey | None = None) -> Any:
        return self.get_fields(request, obj) if obj else []

    def has_change_permission(self, request: HttpRequest, obj: ApiKey | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: ApiKey | None = None) -> bool:
        return False

    def has_manage_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("qrservice.change_apikey")

    # --- adding -----------------------------------------------------------------------------------

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        # The response to saving shows the secret, so there is no other page to continue with.
        context |= {"show_save_and_add_another": False, "show_save_and_continue": False}
        return super().render_change_form(request, context, *args, **kwargs)

    @sensitive_variables("secret")
    def save_model(self, request: HttpRequest, obj: ApiKey, form: ModelForm, change: bool) -> None:
        made, secret = keys.create(**form.cleaned_data)
        vars(obj).update(vars(made))  # the admin continues with `obj`
        request.new_secret = secret  # type: ignore[attr-defined]

    def response_add(self, request: HttpRequest, obj: ApiKey, post_url_continue: str | None = None) -> HttpResponse:
        return self._show_secret(request, obj, request.new_secret)  # type: ignore[attr-defined]

    @sensitive_variables("secret")
    def _show_secret(self, request: HttpRequest, key: ApiKey, secret: str) -> HttpResponse:
        title = _("The new API key")
        return own_page(self, request, "admin/qrservice/apikey/secret.html", title=title, key=key, secret=secret)

    def _confirmation(self, request: HttpRequest, **context: Any) -> HttpResponse:
        return own_page(self, request, "admin/qrservice/apikey/confirm.html", **context)

    # --- rotating and revoking --------------------------------------------------------------------

    @admin.action(description=gettext_lazy("Rotate: create a successor"), permissions=["manage"])
    @sensitive_variables("secret")
    def rotate(self, request: HttpRequest, queryset: QuerySet[ApiKey]) -> HttpResponse | None:
        chosen = list(queryset.select_related("replaces"))
        if len(chosen) != 1:
            self.message_user(request, _("Choose one key to rotate: the new key is shown only once."), messages.ERROR)
            return None
        if "confirmed" not in request.POST:
            return self._confirmation(request, keys=chosen, action="rotate", title=_("Rotate an API key"))
        try:
            successor, secret = keys.rotate(key=chosen[0])
        except keys.KeyAlreadyReplaced:
            sentence = _("This key already has a successor, or is no longer valid. Nothing was changed.")
            self.message_user(request, sentence, messages.ERROR)
            return None
        self.log_change(request, chosen[0], _("Rotated."))
        self.log_addition(request, successor, [{"added": {}}])
        return self._show_secret(request, successor, secret)

    @admin.action(description=gettext_lazy("Revoke"), permissions=["manage"])
    def revoke(self, request: HttpRequest, queryset: QuerySet[ApiKey]) -> HttpResponse | None:
        chosen = list(queryset.filter(revoked_at=None))
        if chosen and "confirmed" not in request.POST:
            return self._confirmation(request, keys=chosen, action="revoke", title=_("Revoke API keys"))
        for key in chosen:
            keys.revoke(key=key)
            self.log_change(request, key, _("Revoked."))
        sentence = ngettext("%d key was revoked.", "%d keys were revoked.", len(chosen))
        self.message_user(request, sentence % len(chosen), messages.SUCCESS)
        return None
