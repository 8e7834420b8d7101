"""The setting DATABASES: PostgreSQL, embedded or elsewhere, and through a pooler or not."""

import os
from pathlib import Path
from typing import Any

from django.core.exceptions import ImproperlyConfigured

from config.environment import env, parsed, refuse

EXAMPLE = "postgresql://user:password@host:5432/name"


def _embedded_url(data_dir: Path) -> str:
    from config.serving.embedded import CannotStart, start_embedded

    try:
        return start_embedded(data_dir)
    except CannotStart as error:
        raise ImproperlyConfigured(str(error)) from error


def _database(variable: str, data_dir: Path, timeout: int, *, is_pooled: bool = False) -> dict[str, Any]:
    url = env.str(variable, default="") or _embedded_url(data_dir)
    database = parsed(variable, EXAMPLE, lambda: env.db_url_config(url))
    is_named = database.get("NAME") or "service" in database.get("OPTIONS", {})
    if database.get("ENGINE") != "django.db.backends.postgresql" or not is_named:
        refuse(f"{variable} must name a PostgreSQL database: {EXAMPLE}.")
    options: dict[str, Any] = {
        # PostgreSQL prepares a statement that a connection has run five times: pages take a fifth less time.
        "server_side_binding": True,
        "prepare_threshold": 5,
        # A server that vanished from the network, in seconds (the last in milliseconds).
        "connect_timeout": 2,
        "keepalives_idle": 5,
        "keepalives_interval": 2,
        "keepalives_count": 2,
        "tcp_user_timeout": 5000,
        **database.get("OPTIONS", {}),
    }
    own: dict[str, Any] = {"ENGINE": "config.postgresql", "OPTIONS": options}
    if is_pooled:
        # The next statement may reach another server process, which knows neither of them.
        options["prepare_threshold"] = None
        own["DISABLE_SERVER_SIDE_CURSORS"] = True
    elif timeout:  # poolers refuse such an option
        # A little sooner than the client gives up and closes the connection (config.postgresql).
        limit = f"-c statement_timeout={timeout * 1000 - 300}"
        options["options"] = f"{limit} {options.get('options', '')}".strip()
    # One connection per thread, checked before each request: a restarted database costs no guest an error.
    return {**database, **own, "CONN_MAX_AGE": None, "CONN_HEALTH_CHECKS": True}


def databases(data_dir: Path, *, timeout: int) -> dict[str, dict[str, Any]]:
    """Return DATABASES. Requests may use a pooler; listening, long locks and dumps need the direct address.

    `timeout`: seconds after which a statement is cancelled; 0 for none.
    """
    if not env.str("DATABASE_DIRECT_URL", default=""):
        return {"default": _database("DATABASE_URL", data_dir, timeout)}
    if not env.str("DATABASE_URL", default=""):
        refuse("DATABASE_DIRECT_URL is for use beside DATABASE_URL, which leads through a pooler. Set that one alone.")
    pooled = _database("DATABASE_URL", data_dir, timeout, is_pooled=True)
    direct = _database("DATABASE_DIRECT_URL", data_dir, timeout)
    if "SERVES_REQUESTS" in os.environ:
        return {"default": pooled, "direct": direct}
    return {"default": direct, "pooled": pooled}
