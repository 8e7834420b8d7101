"""Compiles the translations of `locale/`."""

import os
from pathlib import Path

from babel.messages import mofile, pofile


def compile_changed(source: Path, compiled: Path) -> None:
    """Compile the catalogues that were changed since. A compiled one has the time of the one it was made of."""
    for catalogue in sorted(source.glob("*/LC_MESSAGES/django.po")):
        made = compiled / catalogue.relative_to(source).with_suffix(".mo")
        changed = catalogue.stat().st_mtime_ns
        if made.exists() and made.stat().st_mtime_ns == changed:
            continue
        made.parent.mkdir(parents=True, exist_ok=True)
        unfinished = made.with_suffix(f".{os.getpid()}")  # other processes may start at the same time
        with catalogue.open("rb") as words, unfinished.open("wb") as file:
            mofile.write_mo(file, pofile.read_po(words))
        os.utime(unfinished, ns=(changed, changed))
        unfinished.replace(made)
