from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.utils import quote, unquote
from django.contrib.admin.widgets import AdminTextareaWidget
from django.core.exceptions import PermissionDenied
from django.db.models import OuterRef, QuerySet, Subquery, TextField
from django.db.models.functions import Collate
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from restaurant.menu.admin import item_sales, picture_form, words
from restaurant.menu.admin.fields import DeclarationField, DishesField
from restaurant.menu.admin.item_form import ItemForm
from restaurant.menu.admin.menu_files import MenuFilesAdmin
from restaurant.menu.admin.menu_filters import AvailableFilter, CategoryFilter, PictureFilter
from restaurant.menu.admin.options import GroupInline
from restaurant.menu.models import Category, MenuItem
from restaurant.menu.queries import category_name
from restaurant.menu.services import menu
from restaurant.menu.services.menu_order import ORDER_OF_ITEMS
from restaurant.ordering.models import OrderItem
from restaurant.protected_admin import ProtectedAdmin
from restaurant.tables.models import Table
from web.admin import MomentField, RowForm, change_link
from web.money_field import MoneyInput
from web.templatetags.moments import recent_time
from web.templatetags.money import format_money
from web.templatetags.reports import shown


def _menu_order() -> list[Any]:
    """Return the order of `restaurant.menu.queries.menu`: by category, then as in the category."""
    category = Category.objects.filter(name=category_name(OuterRef("category"))).order_by()
    position = Subquery(category.values("position")[:1])
    return [position.asc(nulls_last=True), Collate(category_name("category"), "C"), *ORDER_OF_ITEMS]


@admin.register(MenuItem)
class MenuItemAdmin(MenuFilesAdmin, words.DraftsAdmin, ProtectedAdmin):
    form = ItemForm
    change_list_template = "admin/exported_list.html"
    list_display = ["photo", "name", "availability", "price", "category", "position", "sold"]
    list_display_links = ["name"]
    list_editable = ["price", "position"]
    list_filter = [AvailableFilter, CategoryFilter, PictureFilter, words.DraftsFilter]
    list_per_page = 100
    search_fields = ["name__typed", "description__typed"]
    list_select_related = ["picture"]
    fieldsets = [
        (
            None,
            {
                "fields": [
                    "name", "description", ("price", "vat_rate", "cost"), ("category", "new_category", "position"),
                    "station", "goes_with",
                ],
            },
        ),
        (gettext_lazy("For sale"), {"fields": ["available", "sold_out_until", "portions"]}),
        (gettext_lazy("Allergens and diet"), {"fields": ["diet", "allergens"]}),
    ]  # fmt: skip
    readonly_fields = ["preview", "sales"]
    inlines = [GroupInline]
    formfield_overrides = {TextField: {"widget": AdminTextareaWidget(attrs={"rows": 4})}}
    actions = ["mark_sold_out", "mark_available", "draft_words"]
    refusal = gettext_lazy(
        "“%(name)s” has been ordered and stays in the records, so it can't be deleted. "
        "To take it off the menu, make it unavailable."
    )

    class Media:
        css = {"all": ["css/admin/menu.css"]}
        js = ["js/admin_menu.js", "js/admin_files.js", "js/admin_picture.js"]

    def rows_with_history(self) -> QuerySet[MenuItem]:
        return MenuItem.objects.filter(pk__in=OrderItem.objects.values("menu_item"))

    def get_ordering(self, request: HttpRequest) -> list[Any]:
        return _menu_order()

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        may_change = obj is None or self.has_change_permission(request, obj)
        texts, sale, allergens = super().get_fieldsets(request, obj)
        pictures = picture_form.fieldsets_of(obj, may_change=may_change)
        if obj is None:
            return [texts, *pictures, allergens, sale]
        if item_sales.may_read(request.user):
            sale = (sale[0], {**sale[1], "fields": [*sale[1]["fields"], "sales"]})
        # Whether it is sold out is changed more often than all else.
        return [sale, texts, *pictures, allergens]

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "allergens":
            field = DeclarationField()
            field.show_hidden_initial = True
            return field
        if db_field.name == "goes_with":
            return db_field.formfield(**kwargs, form_class=DishesField)
        if db_field.name == "sold_out_until":
            kwargs["form_class"] = MomentField
        elif db_field.name == "category":
            kwargs["widget"] = forms.Select
        elif db_field.name == "image_url":
            kwargs["assume_scheme"] = "https"
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if db_field.name in {"price", "cost"}:
            field.widget = MoneyInput()
        elif db_field.name == "portions":
            field.widget.attrs["placeholder"] = _("No limit")
        elif db_field.name == "diet":
            field.choices = [(value, capfirst(label)) for value, label in field.choices]
        return field

    # --- writing ----------------------------------------------------------------------------------

    def changed_fields(self, form: Any) -> list[str]:
        columns = {field.name for field in MenuItem._meta.concrete_fields}
        changed = set(form.changed_data) & columns | ({"category"} if "new_category" in form.changed_data else set())
        return sorted(changed | ({"sold_out_until"} if "available" in changed else set()))

    def save_model(self, request: HttpRequest, obj: MenuItem, form: Any, change: bool) -> None:
        with menu.changing():
            category = Category.objects.filter(name=obj.category_name)
            is_new = bool(obj.category) and not category.exists()
            super().save_model(request, obj, form, change)
            if isinstance(form, ItemForm):
                form.save_picture(obj)
        if is_new:
            sentence = _("New category “%(name)s” was made.") % {"name": obj.category}
            messages.warning(request, format_html("{} {}", sentence, change_link(category.get(), _("Look at it"))))

    def delete_model(self, request: HttpRequest, obj: MenuItem) -> None:
        with menu.changing():
            super().delete_model(request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[MenuItem]) -> None:
        with menu.changing():
            super().delete_queryset(request, queryset)

    def construct_change_message(self, request: HttpRequest, form: Any, formsets: Any, add: bool = False) -> Any:
        """Add the price before and after."""
        message: Any = super().construct_change_message(request, form, formsets, add)
        if not add and "price" in form.changed_data:
            prices = {"was": format_money(form.initial["price"]), "now": format_money(form.cleaned_data["price"])}
            index = form.changed_data.index("price")
            message[0]["changed"]["fields"][index] = _("price from %(was)s to %(now)s") % prices
        return message

    # --- the list ---------------------------------------------------------------------------------

    def get_changelist_form(self, request: HttpRequest, **kwargs: Any) -> Any:
        return super().get_changelist_form(request, form=RowForm, **kwargs)

    def get_list_display(self, request: HttpRequest) -> Any:
        columns = ["photo", "name", "availability" if self.has_change_permission(request) else "available"]
        columns += ["price", "category", "position"]
        return [*columns, "sold"] if item_sales.may_read(request.user) else columns

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        """Add to the page's items how many portions were sold."""
        changelist = super().get_changelist_instance(request)
        if "sold" in changelist.list_display:
            portions = item_sales.portions()
            for item in changelist.result_list:
                item.sold_lately = portions.get(item.pk, 0)
        return changelist

    @admin.display(description=gettext_lazy("sold, 30 days"))
    def sold(self, item: Any) -> str:
        return shown(item.sold_lately, "number")

    @admin.display(description=gettext_lazy("picture"))
    def photo(self, item: MenuItem) -> str:
        return picture_form.thumbnail(item)

    # --- sold out ---------------------------------------------------------------------------------

    @admin.display(description=gettext_lazy("available"), ordering="available")
    def availability(self, item: MenuItem) -> str:
        """Return a button of the list's form, which works without JavaScript."""
        is_available = item.is_available_at(timezone.now())
        return format_html(
            '<button type="submit" class="menu-switch{}" name="available" value="{}" formaction="{}" title="{}"'
            ' data-error="{}">'
            '<span class="visually-hidden">{}: </span>{}</button>{}',
            "" if is_available else " is-sold-out",
            "no" if is_available else "yes",
            reverse("admin:restaurant_menuitem_availability", args=[quote(item.pk)]),
            _("Mark as sold out") if is_available else _("Mark as available"),
            _("That didn't work. Please try again."),
            item.name,
            _("Available") if is_available else _("Sold out"),
            _left_in_words(item, is_available),
        )

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.availability_view)
        return [
            path("<path:object_id>/availability/", view, name="restaurant_menuitem_availability"), *super().get_urls()
        ]  # fmt: skip

    def availability_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Set the posted state, so that a double click does not switch twice."""
        if not self.has_change_permission(request):
            raise PermissionDenied
        came_from = urlsplit(request.headers.get("Referer", ""))
        menu_page = reverse("admin:restaurant_menuitem_changelist")
        query = f"?{came_from.query}" if came_from.path == menu_page and came_from.query else ""
        back = HttpResponseRedirect(f"{menu_page}{query}", status=303)
        available = {"yes": True, "no": False}.get(request.POST.get("available", ""))
        item = self.get_object(request, unquote(object_id))
        if item is None:
            messages.warning(request, _("This item is no longer on the menu."))
        if item is None or available is None:
            return back
        self._switch(request, MenuItem.objects.filter(pk=item.pk), available)
        item.refresh_from_db()
        if not request.accepts("text/html"):
            return JsonResponse({"available": available, "button": self.availability(item)})
        sentence = _("“%(name)s” is available again.") if available else _("“%(name)s” is sold out.")
        messages.success(request, sentence % {"name": item.name})
        return back

    def _switch(self, request: HttpRequest, chosen: QuerySet[MenuItem], available: bool) -> int:
        """Return the number of items that were changed."""
        changed = menu.set_available(chosen, available=available)
        for item in changed:
            self.log_change(request, item, _("Available again.") if available else _("Sold out."))
        return len(changed)

    @admin.action(permissions=["change"], description=gettext_lazy("Sold out"))
    def mark_sold_out(self, request: HttpRequest, chosen: QuerySet[MenuItem]) -> None:
        number = self._switch(request, chosen, available=False)
        sentence = ngettext("%(number)d item is now sold out.", "%(number)d items are now sold out.", number)
        messages.success(request, sentence % {"number": number})

    @admin.action(permissions=["change"], description=gettext_lazy("Available again"))
    def mark_available(self, request: HttpRequest, chosen: QuerySet[MenuItem]) -> None:
        number = self._switch(request, chosen, available=True)
        sentence = ngettext("%(number)d item is available again.", "%(number)d items are available again.", number)
        messages.success(request, sentence % {"number": number})

    # --- one item ---------------------------------------------------------------------------------

    @admin.display(description=gettext_lazy("now"))
    def preview(self, item: MenuItem) -> str:
        return picture_form.preview(item)

    @admin.display(description=gettext_lazy("sales"))
    def sales(self, item: MenuItem) -> str:
        return item_sales.in_words(item)

    def view_on_site(self, obj: MenuItem) -> str | None:
        """Return the address of the dish for the guests of the first table; None without a table."""
        number = Table.objects.order_by("table_number").values_list("table_number", flat=True).first()
        return reverse("dish", args=[number, obj.pk]) if number else None


def _left_in_words(item: MenuItem, is_available: bool) -> str:
    """Return how many portions are left, or until when it is sold out."""
    text = ""
    if is_available and item.portions is not None:
        text = ngettext("%(number)d left", "%(number)d left", item.portions) % {"number": item.portions}
    elif not is_available and item.sold_out_until and item.portions != 0:
        text = pgettext("today or another day", "until %(time)s") % {"time": recent_time(item.sold_out_until)}
    return format_html('<small class="menu-left">{}</small>', text) if text else ""
