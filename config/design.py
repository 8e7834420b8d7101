"""What /design shows: the tokens of static/css, and the states of components."""

import re
from dataclasses import dataclass
from pathlib import Path

from django.contrib.staticfiles import finders

from config import colours

Tokens = dict[str, str]  # `ink` -> `#26211c`

# A state that a pointer or the keyboard gives, and the class that stands for it on the page.
STATES = {":hover": ".is-hover", ":focus-visible": ".is-focus", ":active": ".is-active"}
_STATE = re.compile("|".join(STATES))
COMPONENTS = (
    "button",
    "field",
    "select",
    "chip",
    "tier",
    "strip",
    "stepper",
    "tile",
    "table",
    "progress",
    "toast",
    "empty",
    "sheet",
    "back",
    "folded",
)
REPORT_SHEETS = ("plots", "bars", "heat", "report_tools")  # those of reports that /design shows too
STAFF_SHEETS = ("shell", "start_needs")
TEXT, EDGE = 4.5, 3.0  # contrasts that WCAG asks for
# What is written or drawn, and what it stands on.
PAIRS = [
    *(("ink", ground, TEXT) for ground in ("paper", "card", "raised")),
    *(("ink-soft", ground, TEXT) for ground in ("paper", "card", "raised")),
    *(("accent", ground, TEXT) for ground in ("paper", "card", "accent-wash")),
    ("accent-deep", "accent-wash", TEXT),
    ("on-accent", "accent", TEXT),
    ("on-accent", "accent-deep", TEXT),
    ("on-fill", "fill", TEXT),
    ("on-fill", "fill-deep", TEXT),
    ("on-brand", "brand", TEXT),
    ("on-hero", "hero", TEXT),
    *((f"{kind}{deep}", f"{kind}-wash", TEXT) for kind in ("good", "warn", "bad") for deep in ("", "-deep")),
    *((kind, ground, TEXT) for kind in ("good", "warn", "bad") for ground in ("paper", "card")),
    ("pause", "pause-wash", TEXT),
    *(("on-solid", f"{kind}-solid", TEXT) for kind in ("good", "warn", "bad")),
    *((f"on-{tier}", tier, TEXT) for tier in ("bronze", "silver", "gold", "platinum")),
    *(("edge-field", ground, EDGE) for ground in ("paper", "card", "raised")),
    *(("focus", ground, EDGE) for ground in ("paper", "card")),
]


@dataclass(frozen=True, slots=True)
class Pair:
    ink: str
    ground: str
    needed: float
    contrasts: tuple[float, float]  # on light and on dark pages

    @property
    def is_enough(self) -> bool:
        return min(self.contrasts) >= self.needed


def tokens(accent: str = "") -> tuple[Tokens, Tokens]:
    """Of light and of dark pages, with the shades of an accent such as `7a2848`."""
    text = _read("tokens")
    light = _declared(text, r"^:root,\n\.always-light \{(.*?)^\}")
    dark = light | _declared(text, r"^@media screen and \(prefers-color-scheme: dark\) \{\n  :root \{(.*?)^  \}")
    if accent:
        chosen = colours.parse(accent)
        brand = {"brand": colours.css(chosen), "on-brand": colours.css(colours.on(chosen))}
        light |= brand | _shades(colours.on_light(chosen))
        dark |= brand | _shades(colours.on_dark(chosen))
    return light, dark


def pairs(light: Tokens, dark: Tokens) -> list[Pair]:
    return [
        Pair(ink, ground, needed, (_contrast(light, ink, ground), _contrast(dark, ink, ground)))
        for ink, ground, needed in PAIRS
    ]


def css(light: Tokens, dark: Tokens) -> str:
    """The tokens as classes, and a class for each state of the components."""
    blocks = [_block(".scheme-light", light, "light"), _block(".scheme-dark", dark, "dark")]
    blocks += [
        _block("body", light, "light"),
        f"@media (prefers-color-scheme: dark) {{\n{_block('body', dark, 'dark')}\n}}",
    ]
    blocks += [f".swatch-{name} {{ background: var(--{name}); }}" for name in ["hero", *colours_of(light)]]
    blocks += [f".in-{name} {{ color: var(--{name}); }}" for name in _inks(TEXT)]
    blocks += [f".in-{name} {{ box-shadow: inset 0 0 0 3px var(--{name}); }}" for name in _inks(EDGE)]
    for prefix, rule in (
        ("step", "font-size: var(--{})"),
        ("space", "width: var(--{})"),
        ("radius", "border-radius: var(--{})"),
        ("shadow", "box-shadow: var(--{})"),
    ):
        blocks += [f".shows-{name} {{ {rule.format(name)}; }}" for name in named(light, prefix)]
    # What a sheet derives from tokens for the page it derives again on each pane.
    blocks += [_with_states(name).replace(":root {", ".pane {") for name in REPORT_SHEETS]
    return "\n".join(
        [*blocks, *map(_with_states, ("base", *(f"components/{name}" for name in COMPONENTS), *STAFF_SHEETS))]
    )


def icons() -> list[str]:
    """Those of the sprite, by their names."""
    sprite = Path(str(finders.find("img/admin.svg"))).read_text()
    return re.findall(r'<symbol id="([^"]+)"', sprite)


def named(all_tokens: Tokens, prefix: str) -> Tokens:
    return {name: value for name, value in all_tokens.items() if name == prefix or name.startswith(f"{prefix}-")}


def colours_of(all_tokens: Tokens) -> list[str]:
    return [name for name, value in all_tokens.items() if value.startswith(("#", "rgb("))]


def _inks(needed: float) -> list[str]:
    return list(dict.fromkeys(pair[0] for pair in PAIRS if pair[2] == needed))


def _read(name: str) -> str:
    return Path(str(finders.find(f"css/{name}.css"))).read_text()


def _declared(text: str, block: str) -> Tokens:
    """In the block, of which there is one."""
    [declarations] = re.findall(block, text, re.MULTILINE | re.DOTALL)
    return dict(re.findall(r"--([\w-]+):\s*([^;]+);", _without_comments(declarations)))


def _shades(accent: colours.Accent) -> Tokens:
    names = ("accent", "accent_deep", "on_accent", "accent_wash", "fill", "on_fill", "fill_deep")
    return {name.replace("_", "-"): colours.css(getattr(accent, name)) for name in names}


def _contrast(all_tokens: Tokens, one: str, other: str) -> float:
    first, second = (colours.parse(_hexadecimal(all_tokens, name)) for name in (one, other))
    return round(colours.contrast(first, second), 2)


def _hexadecimal(all_tokens: Tokens, name: str) -> str:
    """Six digits, also of `#fff` and of `var(--accent-deep)`."""
    value = all_tokens[name]
    if other := re.fullmatch(r"var\(--([\w-]+)\)", value):
        return _hexadecimal(all_tokens, other[1])
    digits = value.removeprefix("#")
    return digits if len(digits) == 6 else "".join(2 * digit for digit in digits)


def _block(selector: str, all_tokens: Tokens, scheme: str) -> str:
    lines = "".join(f"  --{name}: {value};\n" for name, value in all_tokens.items())
    return f"{selector} {{\n  color-scheme: {scheme};\n{lines}}}"


def _with_states(name: str) -> str:
    """The whole style sheet again, so that its rules keep their order."""
    return _STATE.sub(lambda found: STATES[found[0]], _read(name))


def _without_comments(text: str) -> str:
    return re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
