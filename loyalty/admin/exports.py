"""Lists of the programme, which can be had as CSV."""

from web import exports


class ExportAdmin(exports.ExportAdmin):
    actions = None  # rows are deleted one at a time

    class Media:
        css = {"all": [f"css/admin/{name}.css" for name in ("codes", "loyalty", "member_lists")]}
