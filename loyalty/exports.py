"""Lists of the programme, which can be had as CSV."""

from typing import Any

from web import exports


class ExportAdmin(exports.ExportAdmin):
    actions: Any = None  # rows are deleted one at a time
