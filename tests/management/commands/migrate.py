"""Django's command; a test database that was copied from a template has been migrated there."""

from typing import Any

from django.core.management.commands import migrate
from django.db import connections


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        is_copy = connections[options["database"]].settings_dict["TEST"].get("TEMPLATE")
        makes_test_database = options["run_syncdb"] and not options["app_label"]
        if not (is_copy and makes_test_database):
            super().handle(*args, **options)
