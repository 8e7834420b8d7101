from typing import Any

from django.apps import AppConfig, apps
from django.contrib.admin import apps as admin_apps
from django.db import transaction
from django.db.models.signals import post_delete, post_migrate, post_save
from django.utils.translation import gettext_lazy as _


class RegularsAdminConfig(admin_apps.AdminConfig):
    default = False
    default_site = "config.admin_site.Site"

    def ready(self) -> None:
        """Set the number formats before pages are registered: all of them write numbers as LANGUAGE_CODE does."""
        from django.contrib.admin.options import FORMFIELD_FOR_DBFIELD_DEFAULTS  # not documented, but tested here
        from django.db.models import DecimalField

        from web import money_field

        FORMFIELD_FOR_DBFIELD_DEFAULTS[DecimalField] = {"form_class": money_field.DecimalField}
        super().ready()


class RegularsConfig(AppConfig):
    default = True
    name = "config"
    verbose_name = _("Venue and staff")

    def ready(self) -> None:
        from django.conf import settings
        from django.contrib import admin
        from django.contrib.auth.signals import user_logged_in, user_logged_out

        from config import (
            code_purposes,
            devices,
            groups,
            privacy,
            queries,
            shell,
        )
        from config.views import language, password
        from config.views import push as push_views
        from config.views.sign_in import SignIn
        from loyalty.cards.services.privacy import member_erased, member_stored
        from loyalty.messages.services import notifications
        from qrservice import purposes
        from restaurant.kitchen import printing
        from web import catalogues, credentials, metrics, venue
        from web import shell as web_shell

        catalogues.compile_changed(settings.BASE_DIR / "locale", settings.LOCALE_PATHS[0])

        # The admin uses the site's own name and sign-in page.
        admin.site.site_header = admin.site.site_title = "Regulars"
        admin.site.empty_value_display = "–"  # as in reports
        admin.site.login = SignIn.as_view()  # type: ignore[method-assign, assignment]
        apps.get_app_config("axes").verbose_name = _("Failed sign-ins")
        metrics.register_queue("mail", notifications.waiting)
        metrics.register_queue("dockets", printing.waiting)
        venue.register(queries.venue, queries.mail_logo)
        purposes.register(code_purposes.read)
        web_shell.register(shell.nav_items, shell.attention_items)
        credentials.register(devices.is_locked)
        for signal in (post_save, post_delete):
            signal.connect(_clear_venue, sender="config.Venue", dispatch_uid="regulars.venue")
        member_stored.connect(privacy.orders_of, dispatch_uid="regulars.privacy.orders")
        member_erased.connect(privacy.redact_member, dispatch_uid="regulars.privacy")
        user_logged_in.connect(language.choose_for_session, dispatch_uid="regulars.language")
        user_logged_in.connect(password.mark_session, dispatch_uid="regulars.temporary_password")
        user_logged_out.connect(push_views.end_with_session, dispatch_uid="regulars.push")
        user_logged_in.connect(devices.signed_in, dispatch_uid="regulars.shared_devices")
        post_migrate.connect(groups.grant_permissions, dispatch_uid="regulars.groups")


def _clear_venue(**_kwargs: Any) -> None:
    """Drop the cached venue now for this transaction, and after it for those who read meanwhile."""
    from web import venue

    venue.clear_cache()
    transaction.on_commit(venue.clear_cache)
