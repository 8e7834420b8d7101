from collections.abc import Iterator
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.filters import AllValuesFieldListFilter
from django.contrib.admin.utils import quote, unquote
from django.contrib.admin.widgets import AdminTextareaWidget, AdminTextInputWidget
from django.core.exceptions import PermissionDenied
from django.db.models import CharField, QuerySet, TextField, Value
from django.db.models.functions import Coalesce, Collate, NullIf
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from restaurant.admin.lists import ProtectedAdmin
from restaurant.admin.menu_files import MenuFilesAdmin
from restaurant.models import MenuItem, OrderItem
from restaurant.services import menu

CATEGORIES = "menu-categories"  # id of the datalist that completes categories


class SeeOther(HttpResponseRedirect):
    status_code = 303


class CategoryFilter(AllValuesFieldListFilter):
    def choices(self, changelist: Any) -> Iterator[Any]:
        for choice in super().choices(changelist):
            yield choice if choice["display"] else {**choice, "display": _("Other")}


class RowForm(forms.ModelForm):
    """The editable fields of the list, labelled for screen readers."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        name = {"name": self.instance.name}
        self.fields["price"].widget.attrs["aria-label"] = _("Price of %(name)s") % name
        self.fields["category"].widget.attrs["aria-label"] = _("Category of %(name)s") % name


def _menu_order() -> list[Any]:
    """By category, then name, like `restaurant.queries.menu`."""
    named = Coalesce(NullIf("category", Value("")), Value(_("Other")), output_field=CharField())
    return [Collate(named, "C"), "name", "pk"]


@admin.register(MenuItem)
class MenuItemAdmin(MenuFilesAdmin, ProtectedAdmin):
    list_display = ["name", "availability", "price", "category"]
    list_editable = ["price", "category"]
    list_filter = ["available", ("category", CategoryFilter)]
    list_per_page = 100
    search_fields = ["name", "description"]
    search_help_text = gettext_lazy("Name or description")
    fields = ["name", "description", "price", "vat_rate", "category", "available", "image_url", "picture"]
    readonly_fields = ["picture"]
    formfield_overrides = {TextField: {"widget": AdminTextareaWidget(attrs={"rows": 4})}}
    actions = ["mark_sold_out", "mark_available"]
    refusal = gettext_lazy(
        "“%(name)s” has been ordered and stays in the records, so it can't be deleted. "
        "To take it off the menu, make it unavailable."
    )

    class Media:
        js = ["js/admin_menu.js"]

    def rows_with_history(self) -> QuerySet[MenuItem]:
        return MenuItem.objects.filter(pk__in=OrderItem.objects.values("menu_item"))

    def get_ordering(self, request: HttpRequest) -> list[Any]:
        return _menu_order()

    def get_list_display(self, request: HttpRequest) -> list[Any]:
        return self.list_display if self.has_change_permission(request) else ["name", "available", "price", "category"]

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "category":
            attrs = {"list": CATEGORIES, "placeholder": _("Other"), "autocomplete": "off"}
            kwargs["widget"] = AdminTextInputWidget(attrs=attrs)
        elif db_field.name == "image_url":
            kwargs["assume_scheme"] = "https"
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if db_field.name == "available":
            field.help_text = _("Guests see only what is available.")
        elif db_field.name == "image_url":
            field.help_text = _("A web link to a photo. It is loaded from that site.")
        elif db_field.name == "vat_rate":
            field.widget = forms.NumberInput(attrs={"class": "menu-price", "step": "0.01", "min": "0", "max": "100"})
        elif db_field.name == "price":
            field.widget = forms.NumberInput(attrs={"class": "menu-price", "step": "0.01", "min": "0"})
        return field

    # --- writing ----------------------------------------------------------------------------------

    def save_model(self, request: HttpRequest, obj: MenuItem, form: Any, change: bool) -> None:
        with menu.changing():
            super().save_model(request, obj, form, change)

    def delete_model(self, request: HttpRequest, obj: MenuItem) -> None:
        with menu.changing():
            super().delete_model(request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[MenuItem]) -> None:
        with menu.changing():
            super().delete_queryset(request, queryset)

    # --- the list ---------------------------------------------------------------------------------

    def get_changelist_form(self, request: HttpRequest, **kwargs: Any) -> Any:
        return super().get_changelist_form(request, form=RowForm, **kwargs)

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        return super().changelist_view(request, {**(extra_context or {}), "categories": _categories()})

    @admin.display(description=gettext_lazy("available"), ordering="available")
    def availability(self, item: MenuItem) -> str:
        """A button of the list's form, so that it works without JavaScript."""
        return format_html(
            '<button type="submit" class="menu-switch{state}" id="available-{pk}" name="available" value="{value}"'
            ' formaction="{address}" title="{hint}"><span class="visually-hidden">{name}: </span>'
            '<span class="menu-switch-state">{words}</span></button>',
            state="" if item.available else " is-sold-out",
            pk=item.pk,
            value="no" if item.available else "yes",
            address=reverse("admin:restaurant_menuitem_availability", args=[quote(item.pk)]),
            hint=_("Mark as sold out") if item.available else _("Mark as available"),
            name=item.name,
            words=_("Available") if item.available else _("Sold out"),
        )

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.availability_view)
        switch = path("<path:object_id>/availability/", view, name="restaurant_menuitem_availability")
        return [switch, *super().get_urls()]

    def availability_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Sets the state that the button names, so that a double click does not switch twice."""
        if not self.has_change_permission(request):
            raise PermissionDenied
        back = reverse("admin:restaurant_menuitem_changelist")
        if request.method != "POST" or request.POST.get("available") not in {"yes", "no"}:
            return HttpResponseRedirect(back)
        wanted = request.POST["available"] == "yes"
        query = request.POST.get("list_query", "")
        item = self.get_object(request, unquote(object_id))
        if item is None:
            messages.warning(request, _("This item is no longer on the menu."))
            return SeeOther(f"{back}?{query}")
        self._switch(request, MenuItem.objects.filter(pk=item.pk), wanted)
        item.available = wanted
        if request.accepts("text/html"):
            sentence = _("“%(name)s” is available again.") if wanted else _("“%(name)s” is sold out.")
            messages.success(request, sentence % {"name": item.name})
            return SeeOther(f"{back}?{query}#available-{item.pk}")
        return JsonResponse({"available": wanted, "button": self.availability(item)})

    def _switch(self, request: HttpRequest, chosen: QuerySet[MenuItem], available: bool) -> int:
        """The number of items that were changed."""
        changed = menu.set_available(chosen, available=available)
        words = _("Available again.") if available else _("Sold out.")
        for item in changed:
            self.log_change(request, item, words)
        return len(changed)

    @admin.action(permissions=["change"], description=gettext_lazy("Sold out"))
    def mark_sold_out(self, request: HttpRequest, chosen: QuerySet[MenuItem]) -> None:
        number = self._switch(request, chosen, available=False)
        words = ngettext("%(number)d item is now sold out.", "%(number)d items are now sold out.", number)
        messages.success(request, words % {"number": number})

    @admin.action(permissions=["change"], description=gettext_lazy("Available again"))
    def mark_available(self, request: HttpRequest, chosen: QuerySet[MenuItem]) -> None:
        number = self._switch(request, chosen, available=True)
        words = ngettext("%(number)d item is available again.", "%(number)d items are available again.", number)
        messages.success(request, words % {"number": number})

    # --- one item ---------------------------------------------------------------------------------

    @admin.display(description=gettext_lazy("preview"))
    def picture(self, item: MenuItem) -> str:
        if not item.image_url:
            return _("none yet")
        return format_html('<img class="menu-picture" src="{}" alt="{}" loading="lazy">', item.image_url, item.name)

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        obj: MenuItem | None = kwargs.get("obj")
        context["categories"] = _categories()
        context["was_ordered"] = obj is not None and self.has_history(obj)
        return super().render_change_form(request, context, *args, **kwargs)


def _categories() -> list[str]:
    named = MenuItem.objects.exclude(category="").order_by("category")
    return list(named.values_list("category", flat=True).distinct())
