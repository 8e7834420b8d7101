from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from restaurant.rules import OrderingRules
from web.admin import change_url


@admin.register(OrderingRules)
class OrderingRulesAdmin(admin.ModelAdmin):
    """One row: the list leads to it."""

    fields = ["gate", "approval_above", "default_vat_rate"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return super().has_add_permission(request) and not OrderingRules.objects.exists()

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        rules = OrderingRules.objects.first()
        if rules is not None and self.has_view_or_change_permission(request):
            return HttpResponseRedirect(change_url(rules))
        if self.has_add_permission(request):
            return HttpResponseRedirect(reverse("admin:restaurant_orderingrules_add"))
        return super().changelist_view(request, extra_context)
