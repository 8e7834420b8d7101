#!/usr/bin/env python
"""Django's command line for this project."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if sys.argv[1:2] == ["serve"]:
        from config.serving import stopping

        stopping.listen()
        from django.core.exceptions import ImproperlyConfigured

        from config.serving.cluster import CannotStart
        from config.serving.environment import complete_environment

        try:
            complete_environment(sys.argv[2:])
        except (CannotStart, ImproperlyConfigured) as error:
            sys.exit(f"Regulars can't start. {error}")
    from django.conf import settings
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        settings.INSTALLED_APPS  # noqa: B018 (reads the settings: nonsense in them is refused here)
    except ImproperlyConfigured as error:
        sys.exit(f"Regulars can't start. {error}")
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
