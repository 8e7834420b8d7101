"""The project's settings, for tests: a database of their own, and nothing else changed that a test could miss."""

import os
from pathlib import Path

# Two test runs at once need two folders: TEST_DATA_DIR names another one.
os.environ["DATA_DIR"] = os.environ.get("TEST_DATA_DIR") or str(Path(__file__).resolve().parent.parent / "var" / "test")
OURS = {
    "DATABASE_URL",
    "APP_BASE_URL",
    "QR_SERVICE_URL",
    "QR_SERVICE_API_KEY",
    "TRUSTED_PROXIES",
    "TIME_ZONE",
    "GEOIP_PATH",
    "MENU_TRANSLATOR",
    "MENU_TRANSLATOR_KEY",
    "MENU_TRANSLATOR_URL",
}
if "TESTED_SERVER" not in os.environ:  # what the shell has set is none of the tests' business
    for name in OURS & set(os.environ):
        del os.environ[name]
os.environ["DEBUG"] = "false"
os.environ["SECRET_KEY"] = "for-tests-alone"
os.environ["ALLOWED_HOSTS"] = "testserver,localhost,127.0.0.1"

from config.settings import *  # noqa: E402, F403

# What a restart would lose is made again by the next run; so commits need not wait for the disk.
_options = DATABASES["default"]["OPTIONS"]  # noqa: F405
_options["options"] = f"{_options.get('options', '')} -c synchronous_commit=off".strip()
INSTALLED_APPS = [*INSTALLED_APPS, "tests"]  # noqa: F405 (for `tests.management.commands.flush`)
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
if "TESTED_SERVER" not in os.environ or "EMAIL_URL" not in os.environ:
    EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
# Manifest names need `collectstatic`; the servers under test run it, the test client does without.
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}  # noqa: F405
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True
