from django.contrib import admin

from loyalty.models import Location, Member, PointTransaction, Redemption, Reward


class ReadOnly(admin.ModelAdmin):
    """For what services alone may write: the ledger, and what follows from it."""

    def has_add_permission(self, request: object) -> bool:
        return False

    def has_change_permission(self, request: object, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: object, obj: object = None) -> bool:
        return False


@admin.register(Member)
class MemberAdmin(admin.ModelAdmin):
    list_display = ["name", "email", "tier", "points_balance", "lifetime_points", "last_activity_at"]
    list_filter = ["tier"]
    search_fields = ["name", "email", "phone"]
    readonly_fields = ["points_balance", "lifetime_points", "tier", "created_at", "last_activity_at"]


@admin.register(Reward)
class RewardAdmin(admin.ModelAdmin):
    list_display = ["name", "points_required", "reward_type", "available"]
    list_editable = ["available"]
    list_filter = ["reward_type", "available"]
    search_fields = ["name"]


@admin.register(Location)
class LocationAdmin(admin.ModelAdmin):
    list_display = ["name", "address"]
    search_fields = ["name", "address"]


@admin.register(PointTransaction)
class PointTransactionAdmin(ReadOnly):
    list_display = ["created_at", "customer", "type", "points", "description"]
    list_filter = ["type"]
    date_hierarchy = "created_at"
    list_select_related = ["customer"]


@admin.register(Redemption)
class RedemptionAdmin(ReadOnly):
    list_display = ["redemption_code", "customer", "reward", "status", "expires_at", "used_at"]
    list_filter = ["status"]
    search_fields = ["redemption_code", "customer__name"]
    list_select_related = ["customer", "reward"]
