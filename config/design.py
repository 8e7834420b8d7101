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
# Of the product's own parts, whose classes other pages use otherwise: each holds within its sample.
PRODUCT_SHEETS = {
    "dish_card": ("menu_dishes",),
    "docket": ("kitchen", "kitchen_ticket", "kitchen_items", "kitchen_age"),
    "order_progress": ("calls", "order_state"),
    "member_card": ("pass", "card"),
    "floor_tile": ("floor_needs", "floor_tiles"),
}
# What components/tile.css says of a class that the floor's page has, too.
UNDONE = {"floor_tile": ".tile { container-type: normal; flex-direction: row; }"}
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
    ("black", "allergy", TEXT),
    *((f"on-{tier}", tier, TEXT) for tier in ("bronze", "silver", "gold", "platinum")),
    *(("edge-field", ground, EDGE) for ground in ("paper", "card", "raised")),
    *(("focus", ground, EDGE) for ground in ("paper", "card")),
]
# On the kitchen display, which is dark on every device.
KITCHEN_PAIRS = [
    *((ink, ground, TEXT) for ink in ("ink", "ink-soft") for ground in ("paper", "card", "card-head")),
    *(("on-solid", f"{status}-deep", TEXT) for status in ("preparing", "ready", "served")),
    *(("on-solid", late, TEXT) for late in ("late", "very-late", "overdue", "bad")),
    *(("black", ground, TEXT) for ground in ("warn", "allergy", "pending")),
    ("accent", "card", TEXT),
    ("preparing", "card", TEXT),
    ("on-slip", "slip", TEXT),
    *((status, "paper", EDGE) for status in ("pending", "preparing", "ready", "served", "overdue-line")),
    ("edge", "card", EDGE),
]
BLACK = "black"  # no token: it is never anything else


@dataclass(frozen=True, slots=True)
class Pair:
    ink: str
    ground: str
    needed: float
    contrasts: tuple[float, ...]  # on light and on dark pages; on the kitchen display

    @property
    def kind(self) -> str:
        """How it is drawn: as text in the colour, or as an edge."""
        return "in" if self.needed == TEXT else "edge"

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
        light |= brand | colours.on_light(chosen).properties
        dark |= brand | colours.on_dark(chosen).properties
    return light, dark


def pairs(light: Tokens, dark: Tokens) -> list[Pair]:
    return [
        Pair(ink, ground, needed, (_contrast(light, ink, ground), _contrast(dark, ink, ground)))
        for ink, ground, needed in PAIRS
    ]


def kitchen() -> Tokens:
    """Of the kitchen display: those that it has of its own, and those that it has otherwise."""
    return _declared(_read("kitchen"), r"^body\.kitchen \{(.*?)^\}")


def kitchen_pairs() -> list[Pair]:
    display = tokens()[0] | kitchen()
    return [Pair(ink, ground, needed, (_contrast(display, ink, ground),)) for ink, ground, needed in KITCHEN_PAIRS]


def css(light: Tokens, dark: Tokens) -> str:
    """The tokens as classes, and a class for each state of the components."""
    own = kitchen()
    blocks = [_block(".scheme-light", light, "light"), _block(".scheme-dark", dark, "dark")]
    blocks += [_block(".scheme-kitchen", light | own, "dark")]
    blocks += [
        _block("body", light, "light"),
        f"@media (prefers-color-scheme: dark) {{\n{_block('body', dark, 'dark')}\n}}",
    ]
    blocks += [f".swatch-{name} {{ background: var(--{name}); }}" for name in colours_of(light | own)]
    blocks += [f".in-{name} {{ color: var(--{name}, {BLACK}); }}" for name in _inks(TEXT)]
    blocks += [f".edge-{name} {{ box-shadow: inset 0 0 0 3px var(--{name}); }}" for name in _inks(EDGE)]
    for prefix, rule in (
        ("step", "font-size: var(--{})"),
        ("space", "width: var(--{})"),
        ("radius", "border-radius: var(--{})"),
        ("shadow", "box-shadow: var(--{})"),
    ):
        blocks += [f".shows-{name} {{ {rule.format(name)}; }}" for name in named(light, prefix)]
    # What a sheet derives from tokens for the page it derives again on each pane.
    blocks += [_with_states(name).replace(":root {", ".pane {") for name in REPORT_SHEETS]
    blocks += map(_with_states, ("base", *(f"components/{name}" for name in COMPONENTS), *STAFF_SHEETS))
    return "\n".join([*blocks, *(_within(part, sheets) for part, sheets in PRODUCT_SHEETS.items())])


def icons() -> list[str]:
    """Those of the sprite, by their names."""
    sprite = Path(str(finders.find("img/admin.svg"))).read_text()
    return re.findall(r'<symbol id="([^"]+)"', sprite)


def named(all_tokens: Tokens, prefix: str) -> Tokens:
    return {name: value for name, value in all_tokens.items() if name == prefix or name.startswith(f"{prefix}-")}


def colours_of(all_tokens: Tokens) -> list[str]:
    return [name for name in all_tokens if resolved(all_tokens, name).startswith(("#", "rgb("))]


def resolved(all_tokens: Tokens, name: str) -> str:
    """The value, also of `var(--accent-deep)`."""
    value = all_tokens[name]
    other = re.fullmatch(r"var\(--([\w-]+)\)", value)
    return resolved(all_tokens, other[1]) if other else value


def _inks(needed: float) -> list[str]:
    return list(dict.fromkeys(pair[0] for pair in [*PAIRS, *KITCHEN_PAIRS] if pair[2] == needed))


def _read(name: str) -> str:
    return Path(str(finders.find(f"css/{name}.css"))).read_text()


def _declared(text: str, block: str) -> Tokens:
    """In the block, of which there is one."""
    [declarations] = re.findall(block, text, re.MULTILINE | re.DOTALL)
    return dict(re.findall(r"--([\w-]+):\s*([^;]+);", _without_comments(declarations)))


def _contrast(all_tokens: Tokens, one: str, other: str) -> float:
    first, second = (colours.parse(_hexadecimal(all_tokens, name)) for name in (one, other))
    return round(colours.contrast(first, second), 2)


def _hexadecimal(all_tokens: Tokens, name: str) -> str:
    """Six digits, also of `#fff` and of `var(--accent-deep)`."""
    digits = "000" if name == BLACK else resolved(all_tokens, name).removeprefix("#")
    return digits if len(digits) == 6 else "".join(2 * digit for digit in digits)


def _block(selector: str, all_tokens: Tokens, scheme: str) -> str:
    lines = "".join(f"  --{name}: {value};\n" for name, value in all_tokens.items())
    return f"{selector} {{\n  color-scheme: {scheme};\n{lines}}}"


def _with_states(name: str) -> str:
    """The whole style sheet again, so that its rules keep their order."""
    return _STATE.sub(lambda found: STATES[found[0]], _read(name))


def _within(part: str, sheets: tuple[str, ...]) -> str:
    """The style sheets, for what is inside the part's sample alone."""
    styles = "\n".join([UNDONE.get(part, ""), *map(_read, sheets)]).replace("body.kitchen", ":scope")
    if part == "floor_tile":
        # A sample shows all tiles in one size: what a phone makes of free tables is left out.
        styles = re.sub(r"\(max-width: (47|29)\.99rem\)", "(max-width: 0)", styles)
    return f"@scope (.{part}) {{\n{styles}\n}}"


def _without_comments(text: str) -> str:
    return re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
