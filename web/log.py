"""The log: one line per problem, without secrets.

Formatters and a filter for `settings.LOGGING`. They leave the record as it is, for other handlers. What watches over
the servers uses them too, and imports no Django unless it logs an error.
"""

import json
import logging
import re
import threading
import time
from collections.abc import Iterator
from contextvars import ContextVar
from datetime import UTC, datetime
from pathlib import Path
from traceback import walk_tb
from types import TracebackType
from typing import Any

current_request_id: ContextVar[str] = ContextVar("request_id", default="")

BASE_DIR = Path(__file__).resolve().parent.parent
REPEATS_AFTER = 60.0  # seconds until the same problem is logged again
MAX_PROBLEMS = 1000  # remembered at a time
MAX_TEXT = 8000  # characters

# Paths that ask whether this installation is well: not logged, whatever the answer is.
PROBES = frozenset({"/healthz", "/readyz"})

# --- what is left out -----------------------------------------------------------------------------

_WORD = r"[^\s@<>\"'(){}\[\],;:/=]"
_SECRETS = (
    (re.compile(r"(/member-(?:sign-in|email)/)[^\s/?\"'<>]+"), r"\1…"),
    (re.compile(r"RWD-[0-9A-Z]{6}", re.IGNORECASE), "RWD-…"),
    (re.compile(r"(\btoken=)[^\s&\"',;]+|(\btoken:?\s+)[\w-]{16,}", re.IGNORECASE), r"\1\2…"),
    (re.compile(r"(://)[^\s/@]+@"), r"\1…@"),
    # From the beginning of a word, so that a long text without an address takes no time.
    (re.compile(rf"(?<!{_WORD}){_WORD}+@{_WORD}+"), "…@…"),
    # API keys, staff tokens, keys of browser sessions.
    (re.compile(r"\brq_[\w-]+"), "rq_…"),
    (re.compile(r"\b(?=[a-z]*[0-9])[0-9a-z]{32,}\b", re.IGNORECASE), "…"),
)
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_CONVERTER = re.compile(r"<(?:\w+:)?(\w+)>")
_SHOWN = {"table_number"}  # in paths; other identifiers are secret
_MAX_SEGMENT = 16  # characters of a path that leads nowhere


def safe(text: str) -> str:
    """Return the text on one line, without keys, tokens, links, redemption codes and addresses."""
    if len(text) > MAX_TEXT:
        text = f"{text[:MAX_TEXT].rpartition(' ')[0]} …"  # no half of a secret
    text = _CONTROLS.sub(" ", text)
    for pattern, replacement in _SECRETS:
        text = pattern.sub(replacement, text)
    return text


def path_of(request: Any) -> str:
    """Return the request's path with placeholders, such as `/use/<code>`, because values in it may be secret."""
    match = getattr(request, "resolver_match", None)
    if match is None:
        segments = str(request.path).split("/")
        return safe("/".join(segment if len(segment) <= _MAX_SEGMENT else "…" for segment in segments))

    def value(placeholder: re.Match[str]) -> str:
        name = placeholder[1]
        return str(match.kwargs.get(name, ""))[:_MAX_SEGMENT] if name in _SHOWN else f"<{name}>"

    return safe("/" + _CONVERTER.sub(value, match.route))


# --- parts of a line ------------------------------------------------------------------------------


def request_id_of(record: logging.LogRecord) -> str:
    # Django logs a response after its middleware has ended.
    own: str = getattr(getattr(record, "request", None), "request_id", "")
    return own or current_request_id.get()


def level_of(record: logging.LogRecord) -> int:
    """Return the record's level; INFO for a refused request that is nobody's fault.

    Django warns of every 404, and reports every 503 as an error: the reason of a 503 has a line of its own.
    """
    status = getattr(record, "status_code", None)
    if isinstance(status, int) and not _has_traceback(record):
        is_ordinary = 400 <= status < 500 and status not in {403, 413, 429}
        if (is_ordinary or status == 503) and record.name == "django.request":
            return logging.INFO
    return record.levelno


def _has_traceback(record: logging.LogRecord) -> bool:
    """Return whether to log a traceback: Django adds one to every 403 and to every request that can't be read."""
    return bool(record.exc_info and record.exc_info[1]) and getattr(record, "status_code", 500) >= 500


def message_of(record: logging.LogRecord) -> str:
    text, request = record.getMessage(), getattr(record, "request", None)
    path = getattr(request, "path", "")
    if len(path) > 1:
        text = text.replace(path.encode("unicode_escape").decode("ascii"), path_of(request))
    return safe(text)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """Yield the error and its causes."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def error_text(error: BaseException) -> str:
    """Return type and message, without the values of a row that the database quotes."""
    from django.db import Error
    from psycopg import Error as PsycopgError

    text = str(error)
    if isinstance(error, Error | PsycopgError):
        text = re.sub(r": \".*", "", text.partition("\n")[0])
    return safe(f"{type(error).__name__}: {text}" if text else type(error).__name__)


def traceback_text(error: BaseException) -> str:
    """Return the calls that led to the error, innermost last, then those of its causes."""
    return " | caused by ".join(f"{_calls(link.__traceback__)}: {error_text(link)}" for link in _chain(error))


def _calls(frames: TracebackType | None) -> str:
    return " > ".join(f"{file}:{line} {function}" for file, line, function in _frames(frames))


def _frames(frames: TracebackType | None) -> list[tuple[str, int, str]]:
    """Return file, line and function of each call."""
    return [(_short(frame.f_code.co_filename), line, frame.f_code.co_name) for frame, line in walk_tb(frames)]


def _short(file: str) -> str:
    """Return the path below the project's folder, or below the folder of a library."""
    return file.rpartition("/site-packages/")[2].removeprefix(f"{BASE_DIR}/")


# --- filter ---------------------------------------------------------------------------------------


class ProblemFilter(logging.Filter):
    """Logs each problem once a minute; `repeats` of the next line counts those that were left out.

    A database that is away is one problem, whatever was being done with it.
    """

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()
        self._known: dict[Any, tuple[float, int]] = {}  # when it was logged, and how often it happened since

    def filter(self, record: logging.LogRecord) -> bool:
        if getattr(getattr(record, "request", None), "path", "") in PROBES:
            return False
        if level_of(record) < logging.WARNING:
            # Django's own loggers have levels of their own, below LOG_LEVEL.
            return record.levelno < logging.WARNING or logging.getLogger().isEnabledFor(logging.INFO)
        problem, now = _problem(record), time.monotonic()
        with self._lock:
            logged_at, left_out = self._known.get(problem, (-REPEATS_AFTER, 0))
            if now - logged_at < REPEATS_AFTER:
                self._known[problem] = (logged_at, left_out + 1)
                return False
            if len(self._known) >= MAX_PROBLEMS:
                self._known.clear()
            self._known[problem] = (now, 0)
        record.repeats = left_out
        return True


def _problem(record: logging.LogRecord) -> Any:
    """Return a key that is equal for records of the same problem."""
    has_traceback = _has_traceback(record)
    arguments = record.args.values() if isinstance(record.args, dict) else record.args or ()
    errors = [argument for argument in arguments if isinstance(argument, BaseException)]
    error = record.exc_info[1] if has_traceback and record.exc_info else next(iter(errors), None)
    if error is not None and _is_outage(error):
        return "database"
    if has_traceback and error is not None:
        frames = _frames(error.__traceback__)
        return type(error), frames[-1] if frames else None
    return record.name, message_of(record)


def _is_outage(error: BaseException) -> bool:
    """Return whether the database is away or overloaded: not a deadlock, nor a value that it refuses."""
    import psycopg
    from django.db import InterfaceError, OperationalError

    for link in _chain(error):
        if isinstance(link, psycopg.OperationalError | psycopg.InterfaceError):
            return link.sqlstate is None or link.sqlstate[:2] in {"08", "53", "57"}
        if isinstance(link, OperationalError | InterfaceError) and link.__cause__ is None:
            return True
    return False


# --- formatters -----------------------------------------------------------------------------------


def _error(record: logging.LogRecord) -> BaseException | None:
    return record.exc_info[1] if record.exc_info and _has_traceback(record) else None


class LineFormatter(logging.Formatter):
    """`<time> <request id> <level> <logger>: <message>`, then the error and the calls that led to it."""

    def format(self, record: logging.LogRecord) -> str:
        parts = [message_of(record)]
        error, repeats = _error(record), getattr(record, "repeats", 0)
        if error is not None:
            parts.append(f"Traceback: {traceback_text(error)}")
        if repeats:
            parts.append(f"and {repeats} more like it since the last line")
        heading = f"{self.formatTime(record)} {request_id_of(record) or '-'} {logging.getLevelName(level_of(record))}"
        return f"{heading} {record.name}: {' | '.join(parts)}"


class JSONFormatter(logging.Formatter):
    """Writes a JSON object per line: `time`, `level`, `logger`, `message`, and further keys that have a value."""

    def format(self, record: logging.LogRecord) -> str:
        error = _error(record)
        values: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": logging.getLevelName(level_of(record)),
            "logger": record.name,
            "message": message_of(record),
        }
        others = {
            "requestId": request_id_of(record),
            "error": error_text(error) if error else "",
            "traceback": traceback_text(error) if error else "",
            "repeats": getattr(record, "repeats", 0),
        }
        values |= {name: value for name, value in others.items() if value}
        return json.dumps(values | getattr(record, "values", {}), ensure_ascii=False)
