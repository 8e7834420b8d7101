"""Every setting of the project, read from the environment. Invalid values are refused at the start.

On a developer's machine nothing needs to be set. With DEBUG off, SECRET_KEY and ALLOWED_HOSTS must be: `python
manage.py serve` sets both for its servers if they are not set.
"""

import os
import re
import sys
import zoneinfo
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

from babel.numbers import get_currency_precision, is_currency
from csp.constants import NONE, SELF

from config.databases import databases
from config.environment import (
    BASE_DIR,
    address,
    django_cache,
    env,
    hosts,
    mail,
    networks,
    push_services,
    rate,
    refuse,
    sender,
    whole,
    yes_or_no,
)
from config.serving.secret_key import local_secret_key
from web import languages

# --- what this installation is --------------------------------------------------------------------

DEBUG = yes_or_no("DEBUG", default=True)
DATA_DIR = Path(env.str("DATA_DIR", default=str(BASE_DIR / "var"))).expanduser().resolve()
SECRET_KEY = env.str("SECRET_KEY", default="")
ALLOWED_HOSTS = hosts("ALLOWED_HOSTS")
if not DEBUG and not SECRET_KEY:
    refuse("DEBUG is off: set SECRET_KEY to a long random text that only this installation knows.")
if not DEBUG and not ALLOWED_HOSTS:
    refuse("DEBUG is off: set ALLOWED_HOSTS to the host names that this installation answers to, with commas between.")
if SECRET_KEY == "replace-this-with-a-long-random-text":  # noqa: S105 (from deploy/env.example)
    refuse("SECRET_KEY is still the example's: set it to a long random text that only this installation knows.")
SECRET_KEY = SECRET_KEY or local_secret_key(DATA_DIR)
ALLOWED_HOSTS = ALLOWED_HOSTS or ["localhost", "127.0.0.1", "[::1]"]

APP_BASE_URL = address("APP_BASE_URL", "http://127.0.0.1:8000", "http", "https") or "http://127.0.0.1:8000"
_base = urlsplit(APP_BASE_URL)
_https = _base.scheme == "https"

KITCHEN_SOCKET_PORT = whole("KITCHEN_SOCKET_PORT", 8080, 1, 65535)
# Empty means: the host of APP_BASE_URL, with the socket port.
KITCHEN_SOCKET_URL = address("KITCHEN_SOCKET_URL", "", "ws", "wss")
if _https and KITCHEN_SOCKET_URL.startswith("ws:"):
    refuse("KITCHEN_SOCKET_URL must start with wss:// as APP_BASE_URL has https: browsers refuse ws:// there.")

# The name that guests read on the menu, unless one is stored in the admin.
VENUE_NAME = env.str("VENUE_NAME", default="Regulars").strip()
if not VENUE_NAME.isprintable():
    refuse("VENUE_NAME must be on one line: it stands in the subjects of mails.")

# When a ticket on the kitchen display turns late, and very late (minutes).
KITCHEN_LATE_MINUTES = whole("KITCHEN_LATE_MINUTES", 5, 1, 600)
KITCHEN_VERY_LATE_MINUTES = whole("KITCHEN_VERY_LATE_MINUTES", 8, 1, 600)
if KITCHEN_LATE_MINUTES >= KITCHEN_VERY_LATE_MINUTES:
    refuse("KITCHEN_LATE_MINUTES must be below KITCHEN_VERY_LATE_MINUTES.")

# The proxies whose X-Forwarded-For is believed.
TRUSTED_PROXIES = env.list("TRUSTED_PROXIES", default=[])
TRUSTED_PROXY_NETWORKS = networks("TRUSTED_PROXIES", TRUSTED_PROXIES)

# --- parts ----------------------------------------------------------------------------------------

INSTALLED_APPS = [
    # Before staticfiles: `runserver` then serves the socket as well. Half a second to import, for nobody else.
    *(["daphne"] if sys.argv[1:2] == ["runserver"] else []),
    "config.apps.RegularsAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "rest_framework",
    "knox",
    "axes",
    "django_otp.plugins.otp_totp",
    "django_otp.plugins.otp_static",
    "csp",
    "drf_spectacular",
    "drf_spectacular_sidecar",  # Swagger UI
    "web",
    "qrservice",
    "loyalty",
    "restaurant",
    "config",
]

MIDDLEWARE = [
    "config.views.health.HealthMiddleware",
    "web.middleware.ClientAddressMiddleware",
    "web.request_log.RequestLogMiddleware",
    "web.middleware.Utf8Middleware",
    "web.middleware.BodyLimitMiddleware",
    "web.database_errors.DatabaseErrorsMiddleware",
    "web.unprepared.UnpreparedStatementsMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.views.robots.NoIndexMiddleware",
    "web.compression.GZipMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "config.devices.DeviceMiddleware",
    "web.middleware.LanguageMiddleware",
    "config.views.password.UnfinishedSignInMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
ASGI_APPLICATION = "config.asgi.application"
APPEND_SLASH = False

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": ["web.templatetags.words"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "web.middleware.venue",
            ],
        },
    }
]

# --- database and cache ---------------------------------------------------------------------------

# Seconds for which a request waits for the database before it gets a 503.
DATABASE_TIMEOUT = whole("DATABASE_TIMEOUT", 4, 1, 60)
if "SERVES_REQUESTS" not in os.environ:  # which config.wsgi and config.asgi set: commands may take long
    DATABASE_TIMEOUT = 0
DATABASES = databases(DATA_DIR, timeout=DATABASE_TIMEOUT)
# Lists, searches and reports, whose statements differ most in how many rows they concern.
UNPREPARED_PATHS = ("/admin/", "/reports", "/till")
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
CACHES = {"default": django_cache("CACHE_URL")}
if CACHES["default"]["BACKEND"].endswith(("LocMemCache", "DatabaseCache")):
    # Rendered menus: some tables' pages of the present menu, and their parts. Django's own limit is 300.
    CACHES["default"].setdefault("OPTIONS", {})["MAX_ENTRIES"] = 2000

# --- who someone is -------------------------------------------------------------------------------

AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "config.devices.PinBackend",
    "web.authentication.StaffBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "/sign-in"
SWITCH_URL = "/switch"  # the same on a device that several people share
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"
# The guests' cookie is named sessionId; the staff's must not differ from it by case alone.
SESSION_COOKIE_NAME = "staff_session"
SESSION_COOKIE_AGE = 14 * 24 * 3600

# `config.views.sign_in.SignInLimits` counts user names and addresses separately.
SIGN_IN_FAILURES_PER_USERNAME = whole("SIGN_IN_FAILURES_PER_USERNAME", 10, 1, 100_000)
SIGN_IN_FAILURES_PER_ADDRESS = whole("SIGN_IN_FAILURES_PER_ADDRESS", 50, 1, 1_000_000)
AXES_HANDLER = "config.views.sign_in.SignInLimits"
AXES_FAILURE_LIMIT = SIGN_IN_FAILURES_PER_USERNAME
AXES_LOCKOUT_PARAMETERS = ["username", "ip_address"]
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_RESET_ON_SUCCESS = True
AXES_LOCKOUT_CALLABLE = "config.views.sign_in.locked_out"
AXES_USERNAME_CALLABLE = "config.views.sign_in.counted_username"
AXES_CLIENT_IP_CALLABLE = "web.proxies.client_network"
AXES_VERBOSE = False

# `config.views.second_step` limits wrong codes, as it does passwords: here each would double the wait of their owner.
OTP_TOTP_THROTTLE_FACTOR = OTP_STATIC_THROTTLE_FACTOR = 0

KNOX_TOKEN_MODEL = "config.StaffToken"  # noqa: S105 (a model's name)
# Knox's own migrations would make the table of the model that ours replaces.
MIGRATION_MODULES = {"knox": None}
REST_KNOX = {"TOKEN_TTL": None, "AUTO_REFRESH": False}

# --- JSON and pages -------------------------------------------------------------------------------

_public_reads = rate("LIMIT_PUBLIC_READS", "600/min")
# By scope: the `throttle_scope` of a view. Counted by client address, staff by person, or as the view's
# `throttle_identity` says.
# IPv6 addresses are counted by their /64.
RATE_LIMITS = {
    "public": _public_reads,
    "code": _public_reads,  # short addresses and code images
    "order": rate("LIMIT_ORDERS_PER_SESSION", "120/min"),
    "api_key": rate("LIMIT_API_CALLS_PER_KEY", "600/min"),
    "sold_out": rate("LIMIT_SOLD_OUT_CHECKS", "6000/min"),
    "picture": rate("LIMIT_PICTURES", "20000/min"),
    "enrolment": rate("LIMIT_ENROLMENTS", "120/hour"),
    "enrolment_by_staff": rate("LIMIT_ENROLMENTS_BY_STAFF", "1200/hour"),
    "sign_in_link": rate("LIMIT_SIGN_IN_LINKS", "5/hour"),
    "sign_in_links_of_address": rate("LIMIT_SIGN_IN_LINKS_PER_ADDRESS", "120/hour"),
    "wrong_code": rate("LIMIT_WRONG_CODES", "60/hour"),
    "test_mail": rate("LIMIT_TEST_MAILS", "10/hour"),
}

REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": [
        "web.rendering.JSONRenderer",
        "web.rendering.PageRenderer",
        "web.spreadsheets.CSVRenderer",
    ],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "web.negotiation.Negotiation",
    "DEFAULT_PARSER_CLASSES": [
        "web.rendering.JSONParser",
        "rest_framework.parsers.FormParser",
        "rest_framework.parsers.MultiPartParser",
    ],
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "web.authentication.StaffTokenAuthentication",
        "web.authentication.StaffSession",
        "web.authentication.GuestOrigin",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["web.permissions.DeclaredAccess"],
    "DEFAULT_THROTTLE_CLASSES": ["web.throttling.DeclaredThrottle"],
    "DEFAULT_METADATA_CLASS": None,
    "EXCEPTION_HANDLER": "web.errors.exception_handler",
    "DEFAULT_SCHEMA_CLASS": "web.openapi.Description",
    # Values stay Python objects until they are rendered: pages format them for people, the JSON encoder for programs.
    "DATETIME_FORMAT": None,
    "COERCE_DECIMAL_TO_STRING": False,
    "URL_FORMAT_OVERRIDE": "format",
}

SPECTACULAR_SETTINGS = {
    "TITLE": "Regulars",
    "DESCRIPTION": "Table ordering, loyalty and dynamic QR codes. Money is a JSON number with the currency's decimals "
    "at most; timestamps are ISO 8601 in UTC; every error is `{error: <sentence>}`. Browsers, which ask for "
    "`text/html` first, get pages at the same addresses; `?format=json` and `?format=html` override the Accept header.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SERVE_AUTHENTICATION": [],
    "COMPONENT_SPLIT_REQUEST": True,
    # Programs send and read JSON; forms and pages are for browsers.
    "PARSER_WHITELIST": ["web.rendering.JSONParser"],
    "RENDERER_WHITELIST": ["web.rendering.JSONRenderer"],
    "POSTPROCESSING_HOOKS": ["drf_spectacular.hooks.postprocess_schema_enums", "web.openapi.one_error"],
    "ENUM_NAME_OVERRIDES": {
        "OrderStatus": "restaurant.models.Order.Status",
        "OrderStep": "restaurant.kitchen.serializers.STEPS",
        "CodeStatus": "qrservice.models.Code.Status",
        "TransactionType": "loyalty.models.PointTransaction.Type",
        "Allergen": "restaurant.models.Allergen",
        "CallKind": "restaurant.models.TableCall.Kind",
        "AdjustmentKind": "restaurant.models.Adjustment.Kind",
        "AdjustmentReason": "restaurant.models.Adjustment.Reason",
        "RefundReason": "restaurant.models.Refund.Reason",
        "CancellationReason": "restaurant.models.OrderChange.Reason",
        "PaymentMethod": "restaurant.models.Payment.Method",
        "MovementKind": "restaurant.models.DrawerMovement.Kind",
        "FeatureKind": "restaurant.models.RoomFeature.Kind",
        "NeedKind": "web.shell.KINDS",
        "WinBackOffer": "loyalty.models.WinBackEmail.Offer",
    },
}

# --- language, time, money ------------------------------------------------------------------------

# Of pages, and of the formats of dates, numbers and money: `en-gb`, or English as it is written in Denmark, `en-dk`.
LANGUAGE_CODE = env.str("LANGUAGE_CODE", default="en-gb").lower()
if not languages.is_complete(LANGUAGE_CODE):
    known = ", ".join(languages.FOR_GUESTS)
    refuse(f"LANGUAGE_CODE must be one of {known}, alone or with a country such as en-gb, not {LANGUAGE_CODE!r}.")
LANGUAGES = [(code, languages.NAMES[code]) for code in languages.FOR_GUESTS]
TIME_ZONE = env.str("TIME_ZONE", default="UTC")
# PostgreSQL takes these names for offsets without a summer time, and does not know the last one: reports count there.
if TIME_ZONE not in zoneinfo.available_timezones() - {"CET", "EET", "MET", "WET", "localtime"}:
    refuse(f"TIME_ZONE must be a name such as Europe/Lisbon, not {TIME_ZONE!r}.")
FORMAT_MODULE_PATH = "config.formats"
LOCALE_PATHS = [DATA_DIR / "locale"]  # as `web.catalogues` compiles them
CURRENCY = env.str("CURRENCY", default="EUR").upper()
# Those of units of account have four decimals, and no coins.
if not is_currency(CURRENCY) or get_currency_precision(CURRENCY) > 3:
    refuse(f"CURRENCY must be the three-letter code of a currency such as EUR, not {CURRENCY!r}.")

# --- files ----------------------------------------------------------------------------------------

STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
WHITENOISE_KEEP_ONLY_HASHED_FILES = True
WHITENOISE_SKIP_COMPRESS_EXTENSIONS = ("map", "png", "woff2", "svgz", "gz", "zip")
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "config.serving.sheets.SheetsWithImports"
    },
}

# --- mail -----------------------------------------------------------------------------------------

vars().update(mail("EMAIL_URL"))
# The timeout of one step of a conversation with the mail server.
EMAIL_TIMEOUT = whole("EMAIL_TIMEOUT", 5, 1, 300)
DEFAULT_FROM_EMAIL = sender("DEFAULT_FROM_EMAIL", str(_base.hostname))

# --- the QR code service --------------------------------------------------------------------------

QR_SERVICE_URL = address("QR_SERVICE_URL", "", "http", "https")
QR_SERVICE_API_KEY = env.str("QR_SERVICE_API_KEY", default="").strip()
if QR_SERVICE_URL and not re.fullmatch(r"[!-~]+", QR_SERVICE_API_KEY):
    refuse("QR_SERVICE_URL needs QR_SERVICE_API_KEY, the key of that service: letters, digits and signs.")

# A MaxMind-format database of cities; without it, scans have no city. One that is away stops no evening: it is a line
# in the log, and read when it is back.
GEOIP_PATH = env.str("GEOIP_PATH", default="")

# --- drafts of the menu's words in other languages ------------------------------------------------

MENU_TRANSLATOR = env.str("MENU_TRANSLATOR", default="").strip().lower()
MENU_TRANSLATOR_KEY = env.str("MENU_TRANSLATOR_KEY", default="").strip()
MENU_TRANSLATOR_URL = address("MENU_TRANSLATOR_URL", "", "http", "https")
if MENU_TRANSLATOR not in {"", "deepl", "libretranslate"}:
    refuse(f"MENU_TRANSLATOR must be deepl or libretranslate, or empty, not {MENU_TRANSLATOR!r}.")
if not re.fullmatch(r"[!-~]*", MENU_TRANSLATOR_KEY) or (MENU_TRANSLATOR == "deepl" and not MENU_TRANSLATOR_KEY):
    refuse("MENU_TRANSLATOR needs MENU_TRANSLATOR_KEY, the key of that service: letters, digits and signs.")
if MENU_TRANSLATOR == "deepl" and not MENU_TRANSLATOR_URL:  # keys of the free service say so
    MENU_TRANSLATOR_URL = f"https://api{'-free' * MENU_TRANSLATOR_KEY.endswith(':fx')}.deepl.com"
if MENU_TRANSLATOR and not MENU_TRANSLATOR_URL:
    refuse("MENU_TRANSLATOR is libretranslate: it needs MENU_TRANSLATOR_URL, the address of that service.")

# --- messages to phones ---------------------------------------------------------------------------

# Clients name the address to which messages are sent: no other host is called. Empty: none are sent.
PUSH_HOSTS = push_services(
    "PUSH_HOSTS",
    # Chrome and its kin (the second: Chromium as Linux has it), Firefox, Edge, Safari.
    ["fcm.googleapis.com", "jmt17.google.com", "push.services.mozilla.com", "notify.windows.com", "push.apple.com"],
)

# --- browsers' safety -----------------------------------------------------------------------------

SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if TRUSTED_PROXIES else None
SESSION_COOKIE_SECURE = _https
CSRF_COOKIE_SECURE = _https
CSRF_TRUSTED_ORIGINS = [APP_BASE_URL] if _base.path in {"", "/"} else [f"{_base.scheme}://{_base.netloc}"]
CSRF_FAILURE_VIEW = "web.error_pages.csrf_failure"
SECURE_HSTS_SECONDS = whole("SECURE_HSTS_SECONDS", 0, 0, 10 * 365 * 86400)
SECURE_HSTS_INCLUDE_SUBDOMAINS = yes_or_no("SECURE_HSTS_INCLUDE_SUBDOMAINS", default=False)
SECURE_HSTS_PRELOAD = yes_or_no("SECURE_HSTS_PRELOAD", default=False)
SECURE_SSL_REDIRECT = yes_or_no("SECURE_SSL_REDIRECT", default=False)
if SECURE_SSL_REDIRECT and not (_https and TRUSTED_PROXIES):
    refuse("SECURE_SSL_REDIRECT needs an APP_BASE_URL with https and TRUSTED_PROXIES: otherwise it would never end.")
# Asked for from inside, without the proxy.
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        # Menu pictures come from where `image_url` says.
        "img-src": [SELF, "data:", "https:", "http:"],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "worker-src": [SELF],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}

# --- fiscal device --------------------------------------------------------------------------------

FISCAL_DEVICE = env.str("FISCAL_DEVICE", default="none")

# --- metrics --------------------------------------------------------------------------------------

METRICS_TOKEN = env.str("METRICS_TOKEN", default="")
if METRICS_TOKEN and not re.fullmatch(r"[!-~]{16,200}", METRICS_TOKEN):
    refuse("METRICS_TOKEN must have 16 to 200 letters, digits or signs, without spaces.")
METRICS_NETWORKS = networks("METRICS_ADDRESSES", env.list("METRICS_ADDRESSES", default=[]))
if METRICS_TOKEN or METRICS_NETWORKS:
    MIDDLEWARE.insert(MIDDLEWARE.index("web.middleware.ClientAddressMiddleware") + 1, "web.metrics.MetricsMiddleware")

# --- log ------------------------------------------------------------------------------------------

LOG_LEVEL = env.str("LOG_LEVEL", default="WARNING").upper()
if LOG_LEVEL not in {"DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"}:
    refuse(f"LOG_LEVEL must be DEBUG, INFO, WARNING, ERROR or CRITICAL, not {LOG_LEVEL!r}.")
LOG_FORMAT = env.str("LOG_FORMAT", default="text").lower()
if LOG_FORMAT not in {"text", "json"}:
    refuse(f"LOG_FORMAT must be text or json, not {LOG_FORMAT!r}.")
LOG_REQUESTS = yes_or_no("LOG_REQUESTS", default=False)
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"text": {"()": "web.log.LineFormatter"}, "json": {"()": "web.log.JSONFormatter"}},
    "filters": {"problems": {"()": "web.log.ProblemFilter"}},
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "stream": sys.stderr,
            "formatter": LOG_FORMAT,
            "filters": ["problems"],
        }
    },
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
    "loggers": {
        "django": {"handlers": [], "propagate": True},
        "django.server": {"handlers": [], "propagate": True},
        "regulars.requests": {"level": "INFO" if LOG_REQUESTS else "WARNING"},
        # A wrong password is not worth a line in the log; a lockout is.
        "axes.handlers.database": {"level": "ERROR"},
        # Requests for other hosts get 400; scanners send many of them.
        "django.security.DisallowedHost": {"level": "CRITICAL"},
    },
}
