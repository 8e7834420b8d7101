"""A random SECRET_KEY for installations that set none."""

import contextlib
import os
import secrets
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured


def local_secret_key(data_dir: Path) -> str:
    """The key stored under `data_dir`: made by the first call, readable by its owner only.

    Raises ImproperlyConfigured.
    """
    path = data_dir / "secret_key"
    try:
        data_dir.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            return _make(path)
        return path.read_text()
    except OSError as error:
        raise ImproperlyConfigured(f"DATA_DIR {data_dir} must be a folder to write in: {error.strerror}.") from error


def _make(path: Path) -> str:
    """Raises FileExistsError."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    key = secrets.token_urlsafe(50)
    with os.fdopen(handle, "w") as file:
        file.write(key)
    return key
