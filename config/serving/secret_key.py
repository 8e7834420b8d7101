"""A random SECRET_KEY for installations that set none."""

import contextlib
import secrets
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured


def local_secret_key(data_dir: Path) -> str:
    """Return the key stored under `data_dir`, which the first call makes, readable by its owner only.

    Raises ImproperlyConfigured.
    """
    path = data_dir / "secret_key"
    try:
        data_dir.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            path.touch(0o600, exist_ok=False)
            path.write_text(secrets.token_urlsafe(50))
        return path.read_text()
    except OSError as error:
        raise ImproperlyConfigured(f"DATA_DIR {data_dir} must be a folder to write in: {error.strerror}.") from error
