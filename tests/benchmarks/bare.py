"""What Django under Granian can do at the least: no middleware, one statement by a raw cursor, a constant answer.

`/bare` inserts one row and redirects, as a scan of a code does. `/bare/<n>` updates row n and answers the bytes of the
file named by BARE_BODY, which are compressed, as a scan of table n does.
"""

import os
import sys
from pathlib import Path

import environ
from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
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

BODY = Path(os.environ["BARE_BODY"]).read_bytes() if "BARE_BODY" in os.environ else b""


def scan(request: HttpRequest) -> HttpResponseRedirect:
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO bare_scan (code_id, scanned_at, city, country, device_type) VALUES (%s, now(), %s, %s, %s)",
            [1, "", "", "iOS"],
        )
    return HttpResponseRedirect("https://example.com/")


def page(request: HttpRequest, number: int) -> HttpResponse:
    with connection.cursor() as cursor:
        cursor.execute("UPDATE bare_session SET total_scans = total_scans + 1 WHERE id = %s", [number])
    return HttpResponse(BODY, headers={"Content-Encoding": "gzip"})


urlpatterns = [path("bare", scan), path("bare/<int:number>", page)]
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
