"""Collects static files in STATIC_ROOT, hashed and compressed."""

import hashlib
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command

LEFT_OUT = ["redoc"]  # of the sidecar with the API's pages, which have Swagger


def collect() -> None:
    """Collect them unless these files have been collected before: hashing them is a third of a start's work."""
    root = Path(settings.STATIC_ROOT)
    noted = root.with_suffix(".collected")  # beside the folder: what is in there is served
    sources = _sources()
    if noted.is_file() and noted.read_text() == _state(sources, root):
        return
    call_command("collectstatic", verbosity=0, interactive=False, ignore_patterns=LEFT_OUT)
    noted.write_text(_state(sources, root))


def _sources() -> str:
    """Return a hash of their names, lengths and times. The files of an upgraded package have another time."""
    digest = hashlib.sha256(repr(settings.STORAGES["staticfiles"]).encode())
    for finder in get_finders():
        for name, storage in finder.list(LEFT_OUT):
            status = Path(storage.path(name)).stat()
            digest.update(f"\0{name} {status.st_size} {status.st_mtime_ns}".encode())
    return digest.hexdigest()


def _state(sources: str, root: Path) -> str:
    """Return the hash with the number of files that were made: some may have been deleted since."""
    return f"{sources} {sum(path.is_file() for path in root.rglob('*'))}\n"
