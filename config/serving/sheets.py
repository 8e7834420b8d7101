"""The storage of static files in production: a style sheet has what it imports, a script imports hashed files."""

import posixpath
import re
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from django.core.files.storage import Storage
from whitenoise.storage import CompressedManifestStaticFilesStorage

_IMPORT = re.compile(r'@import url\("([\w/.-]+)"\) layer\((\w+)\);')
_COMMENT_OR_INDENT = re.compile(r"/\*.*?\*/\s*|(?<=\n)\s+", re.DOTALL)
_COMMENTS_OF_SCRIPTS = re.compile(r"^ *(?:// [^\n]*|/\*.*?\*/)\n", re.DOTALL | re.MULTILINE)
_Paths = dict[str, tuple[Storage, str]]  # where the file of each name comes from


class SheetsWithImports(CompressedManifestStaticFilesStorage):
    """Writes imported sheets in place of their imports, and scripts without comments: phones wait for both."""

    support_js_module_import_aggregation = True
    # In our modules alone: to look for imports in the bundle of the API's page doubles the time. The name is private to
    # Django; the tests of imports fail when it goes away.
    _js_module_import_aggregation_patterns = (
        "js/*.js",
        CompressedManifestStaticFilesStorage._js_module_import_aggregation_patterns[1],
    )
    # Each pass may change the hash of a file, and so of those that import it: as many as a chain of imports is long.
    max_post_process_passes = 12

    def post_process(self, paths: _Paths, dry_run: bool = False, **options: Any) -> Iterator[tuple[str, str, bool]]:
        if not dry_run:
            for name in [name for name in paths if name.endswith(".css")]:
                text = _read(paths, name)
                if _IMPORT.search(text):
                    Path(self.path(name)).write_text(_merged(paths, name, text), encoding="utf-8")
                    paths[name] = self, name
            for name in [name for name in paths if fnmatch(name, "js/*.js")]:
                Path(self.path(name)).write_text(_COMMENTS_OF_SCRIPTS.sub("", _read(paths, name)), encoding="utf-8")
                paths[name] = self, name
        yield from super().post_process(paths, dry_run=dry_run, **options)


def _merged(paths: _Paths, name: str, text: str) -> str:
    """Without comments and indents. URLs of imported sheets lead to the same from here, which a test checks."""

    def layer(statement: re.Match[str]) -> str:
        imported = posixpath.join(posixpath.dirname(name), statement[1])
        return f"@layer {statement[2]} {{\n{_read(paths, imported)}}}"

    return _COMMENT_OR_INDENT.sub("", _IMPORT.sub(layer, text))


def _read(paths: _Paths, name: str) -> str:
    storage, path = paths[name]
    with storage.open(path) as file:
        return file.read().decode()
