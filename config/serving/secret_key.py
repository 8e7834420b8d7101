"""A secret key of this machine's own, for whoever has set none."""

import os
import secrets
from pathlib import Path


def local_secret_key(data_dir: Path) -> str:
    """The random key kept under `data_dir`; made at the first call, readable by its owner alone."""
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
