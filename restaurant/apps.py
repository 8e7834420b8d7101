from django.apps import AppConfig
from django.db.models.signals import m2m_changed, post_delete, post_save
from django.utils.translation import gettext_lazy as _


class RestaurantConfig(AppConfig):
    name = "restaurant"
    verbose_name = _("Restaurant")

    def ready(self) -> None:
        from loyalty import gateway as loyalty
        from restaurant import events
        from restaurant.billing.services import adjustments
        from restaurant.in_loyalty import Restaurant
        from restaurant.menu.services import menu

        loyalty.register(Restaurant())
        events.party_changed.connect(adjustments.follow, dispatch_uid="restaurant.bill_follows_orders")

        for name in menu.IN_MENU:
            for signal in (post_save, post_delete):
                signal.connect(
                    menu.renew_version, sender=self.get_model(name), dispatch_uid=f"restaurant.menu_version.{name}"
                )
        pairs = self.get_model("MenuItem_goes_with")
        m2m_changed.connect(menu.renew_version, sender=pairs, dispatch_uid="restaurant.menu_version.goes_with")
