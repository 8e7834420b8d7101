from django.apps import AppConfig, apps
from django.db.models.signals import post_migrate


class RegularsConfig(AppConfig):
    name = "config"
    verbose_name = "Staff access"

    def ready(self) -> None:
        from django.contrib import admin
        from django.contrib.auth.signals import user_logged_in

        from config import groups
        from config.views import password
        from config.views.sign_in import SignIn
        from loyalty.services import notifications
        from restaurant.services import printing
        from web import metrics

        # The admin uses the site's own name and sign-in page.
        admin.site.site_header = admin.site.site_title = "Regulars"
        admin.site.index_title = "Administration"
        admin.site.login = SignIn.as_view()  # type: ignore[method-assign, assignment]
        apps.get_app_config("axes").verbose_name = "Failed sign-ins"
        metrics.register_queue("mail", notifications.waiting)
        metrics.register_queue("dockets", printing.waiting)
        user_logged_in.connect(password.mark_session, dispatch_uid="regulars.temporary_password")
        post_migrate.connect(groups.grant_permissions, dispatch_uid="regulars.groups")
