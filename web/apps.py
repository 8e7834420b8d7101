from django.apps import AppConfig
from django.db.models import CharField, TextField
from django.db.models.signals import post_save, pre_save


class WebConfig(AppConfig):
    name = "web"
    verbose_name = "Web"

    def ready(self) -> None:
        from web import usernames
        from web.searching import Typed

        pre_save.connect(usernames.check_new, sender="auth.User", dispatch_uid="regulars.username")
        post_save.connect(usernames.store_folded, sender="auth.User", dispatch_uid="regulars.folded_username")
        for field in (CharField, TextField):
            field.register_lookup(Typed)
