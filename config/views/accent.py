"""`GET /accent/{colour}.css`: the venue's accent colour for every page."""

from django.http import HttpRequest, HttpResponse

from config import colours
from web.permissions import PUBLIC
from web.throttling import LimitedView

_FOREVER = "public, max-age=31536000, immutable"  # the colour is in the address

# Every page says with `color-scheme` whether it is light, dark or as the device is. Browsers that don't know
# light-dark() show the usual accent.
# It comes after core.css, so it wins over the colours that tokens.css has in the same layer.
_CSS = """@layer tokens {{
  @supports (color: light-dark(#000, #fff)) {{
    :root,
    .always-light {{
{lines}    }}
  }}
}}
"""


class Accent(LimitedView):
    access = PUBLIC
    throttle_scope = "picture"

    def get(self, request: HttpRequest, colour: str) -> HttpResponse:
        accent = colours.parse(colour)
        light, dark = colours.on_light(accent).properties, colours.on_dark(accent).properties
        lines = "".join(f"      --{name}: light-dark({light[name]}, {dark[name]});\n" for name in light)
        lines += f"      --brand: {colours.css(accent)};\n      --on-brand: {colours.css(colours.on(accent))};\n"
        headers = {"Cache-Control": _FOREVER}
        return HttpResponse(_CSS.format(lines=lines), content_type="text/css; charset=utf-8", headers=headers)
