"""What Django under Granian can do at the least: one view, no middleware, one row by a raw cursor, a redirect."""

import os
import sys

import environ
from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.http import HttpRequest, HttpResponseRedirect
from django.urls import path

if not settings.configured:
    settings.configure(
        DEBUG=False,
        SECRET_KEY="x",
        ALLOWED_HOSTS=["*"],
        ROOT_URLCONF=__name__,
        MIDDLEWARE=[],
        USE_TZ=True,
        DATABASES={"default": {**environ.Env.db_url_config(os.environ["DATABASE_URL"]), "CONN_MAX_AGE": None}},
    )

from django.db import connection


def scan(request: HttpRequest) -> HttpResponseRedirect:
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO bare_scan (code_id, scanned_at, city, country, device_type) VALUES (%s, now(), %s, %s, %s)",
            [1, "", "", "iOS"],
        )
    return HttpResponseRedirect("https://example.com/")


urlpatterns = [path("bare", scan)]
application = get_wsgi_application()

if __name__ == "__main__":
    from granian import Granian
    from granian.constants import Interfaces

    Granian(
        "tests.benchmarks.bare:application",
        port=int(sys.argv[1]),
        interface=Interfaces.WSGI,
        workers=1,
        blocking_threads=4,
        websockets=False,
        log_enabled=False,
    ).serve()
