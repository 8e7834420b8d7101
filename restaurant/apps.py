from django.apps import AppConfig
from django.db.models.signals import post_delete, post_save


class RestaurantConfig(AppConfig):
    name = "restaurant"
    verbose_name = "Restaurant"

    def ready(self) -> None:
        from restaurant.services import menu

        item = self.get_model("MenuItem")
        for signal in (post_save, post_delete):
            signal.connect(menu.renew_version, sender=item, dispatch_uid="restaurant.menu_version")
