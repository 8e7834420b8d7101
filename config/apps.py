from django.apps import AppConfig
from django.db.models.signals import post_migrate


class RegularsConfig(AppConfig):
    name = "config"
    verbose_name = "Staff access"

    def ready(self) -> None:
        from config import groups

        post_migrate.connect(groups.grant_permissions, dispatch_uid="regulars.groups")
