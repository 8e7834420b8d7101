"""A random SECRET_KEY for installations that set none."""

import os
import secrets
from pathlib import Path


def local_secret_key(data_dir: Path) -> str:
    """The key stored under `data_dir`: made by the first call, readable by its owner only."""
    path = data_dir / "secret_key"
    data_dir.mkdir(parents=True, exist_ok=True)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text()
    key = secrets.token_urlsafe(50)
    with os.fdopen(handle, "w") as file:
        file.write(key)
    return key
