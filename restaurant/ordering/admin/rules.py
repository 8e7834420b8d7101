from django.contrib import admin

from restaurant.rules import OrderingRules
from web.admin import OneRowAdmin


@admin.register(OrderingRules)
class OrderingRulesAdmin(OneRowAdmin):
    fields = ["gate", "approval_above", "default_vat_rate", "escalate_after", "needs_open_drawer", "counts_blind"]
