"""What /design says of each component: when to use it, its classes, and markup to copy."""

import re
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Part:
    """`name`: its anchor, and its states in templates/web/design/parts. `sheet`: its style, below static/css."""

    name: str
    title: str
    sheet: str
    use: str
    markup: str
    classes: dict[str, str] = field(default_factory=dict)
    also: str = ""  # another sheet with some of its style
    schemes: tuple[str, ...] = ("light", "dark")

    @property
    def template(self) -> str:
        return f"web/design/parts/{self.name}.html"

    @property
    def lines(self) -> list[tuple[str, list[tuple[str, str]]]]:
        """Of the markup: the spaces that a line begins with, and its words, each with the spaces before it.

        A word ends also with its tag. A line that is too long for the page goes on below with its next word.
        """
        lines = [(line, line.lstrip()) for line in self.markup.splitlines()]
        return [(line.removesuffix(words), re.findall(r"(\s*)([^\s>]+>?|>)", words)) for line, words in lines]


PARTS = (
    Part(
        "button",
        "Button",
        "components/button",
        "What does something. One filled button to a view, or to a row of what waits, for what most people came for; "
        "all others are quiet. What only leads somewhere is a link, unless it is the way on.",
        '<button class="button">Send order</button>\n<a class="button button-quiet" href="…">Not now</a>',
        {
            "button-quiet": "beside a filled one, or where a row has its own",
            "button-wide": "the one button of a form or of a phone's foot",
            "button-bad": "cancels or deletes; never the first in a row",
        },
        also="base",
    ),
    Part(
        "chip",
        "Chip and badge",
        "components/chip",
        "A word about what it stands beside: what a dish contains, how a thing is. Not for what can be "
        "pressed: that is a chip-choice, the choice of one among few, or a filter that is on or off. A badge "
        "is a number.",
        '<span class="chip chip-diet">Vegan</span>\n'
        '<a class="chip-choice" href="?days=30" aria-current="true">30 days</a>\n'
        '<button class="chip-choice" aria-pressed="true">Vegan</button>\n'
        '<span class="badge badge-bad">3</span>',
        {
            "chip-may": "not certain",
            "chip-diet": "good news",
            "chip-warn": "needs care",
            "chip-bad": "is not to be had",
            "badge-bad": "must be seen to",
            "badge-quiet": "says only how many",
        },
    ),
    Part(
        "tier",
        "Tier",
        "components/tier",
        "A member's tier. The word stays as JSON has it; its first letter is shown as a capital.",
        '<span class="tier tier-gold">gold</span>',
    ),
    Part(
        "strip",
        "Strip",
        "components/strip",
        "Parts of one long page, in one row that scrolls and fades on the side with more: the menu's "
        "categories. From page to page leads Tabs.",
        '<nav class="strip" aria-label="Categories">\n  <a href="#starters" aria-current="true">Starters</a>\n</nav>',
    ),
    Part(
        "tabs",
        "Tabs",
        "report_tools",
        "From page to page of one subject. At most eight, a word or two each; the present one is named by "
        "aria-current.",
        '<nav class="report-nav strip-fade" aria-label="Reports">\n'
        '  <a href="/reports" aria-current="page">Overview</a>\n</nav>',
    ),
    Part(
        "filter",
        "Filter that opens",
        "report_tools",
        "A choice of more than four that narrows a page: the period, what is compared. Up to four stand as "
        "chip-choices. It is a details element, so it works without JavaScript; give those of a page the same "
        "name, and one is open.",
        '<details class="choose" name="report-choice">\n  <summary>Last 30 days</summary>\n'
        '  <div class="choose-panel"><ul class="choose-list">\n'
        '    <li><a href="?days=30" aria-current="true">Last 30 days</a></li>\n  </ul></div>\n</details>',
        {"choose-form": "fields below the list, such as the first and the last day"},
    ),
    Part(
        "stepper",
        "Stepper",
        "components/stepper",
        "How many, from none to some twenty. For larger numbers a field.",
        '<div class="stepper" role="group" aria-label="How many">\n  <button aria-label="One fewer">−</button>\n'
        '  <input type="number" value="1" aria-label="Quantity">\n  <button aria-label="One more">+</button>\n</div>',
        {
            "stepper-chosen": "not zero",
            "stepper-last": "its minus removes",
            "stepper-wide": "fills its row",
            "stepper-busy": "is being sent",
            "stepper": "red while its input has aria-invalid",
        },
    ),
    Part(
        "field",
        "Form",
        "components/field",
        "The label above, help below, and what is wrong below the field in words. A day is an input of type "
        "date: the browser brings the calendar, and writes the day as the device does. Two or three choices are "
        "radio buttons; a select from four on.",
        '<div class="field">\n  <label for="mail">Email</label>\n'
        '  <input id="mail" type="email" aria-invalid="true" aria-describedby="mail-wrong">\n'
        '  <p class="field-wrong" id="mail-wrong">Add what comes after the @, such as example.com.</p>\n</div>\n'
        '<label class="choice"><input type="radio" name="tables"> All tables</label>',
        {
            "field-help": "what goes in",
            "field-wrong": "what was wrong, tied to the field by aria-describedby",
            "form": "with card and narrow: all that a page is for",
            "form-foot": "a sentence below its button",
        },
    ),
    Part(
        "select",
        "Select",
        "components/select",
        "One of four or more, of which the chosen one alone has to be seen. It opens as the device does it.",
        '<label for="station">Station</label>\n<select id="station"><option>Grill</option></select>',
    ),
    Part(
        "notice",
        "Notice",
        "base",
        "What the page has to say before all else: what was refused, what was done. It stays; a toast goes.",
        '<p class="notice" role="alert">The card could not be read.</p>',
        {"notice-good": "it went well; with role=status"},
    ),
    Part(
        "toast",
        "Toast",
        "components/toast",
        "What has just happened, over the page, with a way back. Not for what has to be read: that is a notice.",
        '<div class="toast is-shown">\n  <p role="alert">Removed Bruschetta</p>\n'
        '  <button class="toast-undo">Undo</button>\n</div>',
        {"toast-good": "it went well", "toast-bad": "it did not", "toast-still": "in the page's flow"},
    ),
    Part(
        "empty",
        "Empty state",
        "components/empty",
        "Where there is nothing yet: what would be here, and the way to it. A filter that finds nothing needs "
        "a sentence.",
        '<div class="empty">\n  <svg viewBox="0 0 48 48" aria-hidden="true">…</svg>\n  <h2>No orders yet</h2>\n'
        '  <p>They appear here as soon as a guest orders.</p>\n  <a class="button button-quiet" href="…">…</a>\n</div>',
    ),
    Part(
        "needs",
        "What needs attention",
        "start_needs",
        "A row for each thing that waits for somebody: where, what, since when, and the button that settles it. "
        "Red is for guests who wait and for a printer that stands still, green for what is ready, amber for the rest.",
        '<div class="needs-list"><ul>\n'
        '  <li class="need-row"><a class="shell-need is-urgent" href="…"><span class="need-place">12</span>\n'
        '    <span class="need-words"><span>Calls the waiter</span>\n'
        '      <span class="need-about">Terrace <span class="need-since">· 3 min</span></span></span></a>\n'
        '    <button class="button">Done</button></li>\n</ul></div>',
        {
            "is-urgent": "a guest waits, or a printer stands still",
            "need-carry": "ready to carry",
            "need-row": "has a button of its own; without it the row is the link",
            "is-calm": "nothing needs attention",
        },
    ),
    Part(
        "tile",
        "Figures",
        "components/tile",
        "Up to six figures at the head of a page, each with what it means and how it was before. A tile that "
        "is a link leads to what the figure is made of. Reports include web/_tiles.html.",
        '<ul class="tiles">\n  <li class="tile"><span class="tile-label">Orders</span>\n'
        '    <span class="tile-value">1,284</span></li>\n</ul>',
        {"tile-up": "more than before", "tile-down": "less", "tile-bad": "must be seen to", "tile-busy": "is coming"},
    ),
    Part(
        "columns",
        "Bar chart",
        "plots",
        "A figure over hours or days, with a line through what it is compared with. The numbers are also in a table.",
        "{% load plots %}\n{% columns table 1 2 %}  {# the first column's name is an hour or a day #}",
        {"columns": "the list of bars", "legend": "which is which"},
    ),
    Part(
        "bars",
        "Ranked bars",
        "bars",
        "What there is most of, the most first: ten at most. Heads say what the numbers are.",
        "{% load plots %}\n{% bars table 0 2 1 %}  {# label, value, and what stands beside it #}",
        {"bars": "the list", "bars-head": "names of its columns"},
    ),
    Part(
        "heat_map",
        "Heat map",
        "heat",
        "A figure by hour and weekday, in one hue. It is a table with its numbers in it: colour only helps.",
        "{% load plots %}\n{% heat_map table %}",
        {"heat": "the table", "heat-peak": "the most", "heat-scale": "what the shades mean"},
    ),
    Part(
        "table",
        "Table",
        "components/table",
        "Figures to compare. Numbers to the right with their heads; what is the same in each row is no "
        "column. On a phone a row has two lines rather than many.",
        '<div class="table-frame"><table class="figures">\n  <caption class="visually-hidden">Dishes</caption>\n'
        '  <thead><tr><th scope="col">Dish</th><th scope="col" class="numeric">Sold</th></tr></thead>\n'
        '  <tbody><tr><th scope="row">Burrata</th><td class="numeric">128</td></tr></tbody>\n</table></div>',
    ),
    Part(
        "progress",
        "Progress",
        "components/progress",
        "How far it is to something that has a name and an end. On a coloured ground a page sets --track and --bar.",
        '<progress value="64" max="100" aria-label="64 of 100 points"></progress>',
        {"progress-good": "reached"},
    ),
    Part(
        "sheet",
        "Sheet and dialog",
        "components/sheet",
        "A dialog: a question or a choice that keeps people on their page. It rises from the foot of a phone "
        "and stands in the middle of larger screens. Without JavaScript its link leads to a page with the "
        "same form.",
        '<dialog class="sheet" aria-labelledby="dish-name">\n'
        '  <button class="sheet-close" aria-label="Close">×</button>\n'
        '  <div class="sheet-body"><h2 id="dish-name">Bistecca</h2></div>\n'
        '  <div class="sheet-foot"><button class="button button-wide">Add for €68.00</button></div>\n</dialog>',
    ),
    Part(
        "back",
        "Page head",
        "components/back",
        "At the head of a page below another: the way back by the name of where it leads, and at the other side the "
        "table.",
        '<a class="back" href="…">Menu</a>\n<span class="table-chip">Table 7</span>',
        {"back-plain": "a name without a way back"},
    ),
    Part(
        "folded",
        "Folded away",
        "components/folded",
        "What few need at once, below its name. What everybody needs is not folded away.",
        '<details class="folded"><summary>Earlier</summary> … </details>',
        {},
    ),
)

# The product's own parts, drawn by the templates and the style sheets of their pages.
PRODUCTS = (
    Part(
        "dish_card",
        "Dish card",
        "menu_dishes",
        "A dish in the guest's menu. All of it leads to the dish; the plus adds one, or leads to what has to be chosen "
        "first. Diets stand beside the price, allergens below it.",
        '{% include "restaurant/_menu_dish.html" %}',
        {"item-pictured": "has a picture", "adder-closed": "the kitchen is closed", "item-gone": "just sold out"},
    ),
    Part(
        "order_progress",
        "Order progress",
        "order_state",
        "Where a guest's order is, by a sign, a sentence and four steps, which say the same. It changes while it is "
        "looked at; no step is ever taken back.",
        '<div data-status="preparing">\n  <div class="state">… <ol class="steps">\n'
        '    <li data-step="pending"><span>Received</span></li>\n  </ol></div>\n</div>',
        {"state-sign": "the status as a sign", "steps": "dots on a line up to where it is", "wait": "when it is ready"},
    ),
    Part(
        "member_card",
        "Member's card",
        "pass",
        "Who a card belongs to, its points and its tier, in the venue's colour; below it the way to the next tier. The "
        "page of a card has its code in the middle.",
        '<div class="pass pass-gold">\n  <div class="pass-head"><h1 class="pass-name">Ada Lovelace</h1>\n'
        '    {% include "loyalty/_pass_balance.html" %}</div>\n</div>',
        {"pass-gold": "the tier, which colours the bar", "next-tier": "how far it is to the next"},
        also="card",
    ),
    Part(
        "floor_tile",
        "Floor tile",
        "floor_tiles",
        "A table on the floor: its number and since when, what it does, and what it has ordered. Filled means that "
        "somebody waits for you; an edge alone that all is well.",
        '{% include "restaurant/_floor_tile.html" %}',
        {
            "tile-calling": "calls, or wants the bill",
            "tile-held": "an order waits to be approved",
            "tile-ready": "ready to carry",
            "tile-ordered": "the kitchen is at it",
            "tile-free": "nobody sits there",
        },
    ),
    Part(
        "docket",
        "Docket",
        "kitchen_ticket",
        "An order on the kitchen display, dark on every device. What must not be overlooked comes first: the allergy, "
        "then the table and how old it is. A dish is touched when it is done; the button at the foot moves all on.",
        '<article class="ticket" data-status="preparing" data-late="late">\n'
        '  <p class="ticket-allergy">…</p>\n  <header class="ticket-head">…</header>\n'
        '  <ul class="ticket-items">…</ul>\n  <button class="ticket-next">Mark ready</button>\n</article>',
        {
            "ticket-allergy": "what the guests do not tolerate",
            "item-note": "what the guest wrote, as a slip",
            "is-done": "a dish that is done",
            "is-new": "has just come",
        },
        also="kitchen_items",
        schemes=("kitchen",),
    ),
)


@dataclass(frozen=True, slots=True)
class Rule:
    """`name`: its examples are in templates/web/design/rules, as `do` and as `avoid`, with what to say of each."""

    name: str
    title: str
    do: str
    avoid: str

    @property
    def template(self) -> str:
        return f"web/design/rules/{self.name}.html"


RULES = (
    Rule(
        "one_button",
        "One filled button to a view",
        "What most people came for is filled, all else is quiet.",
        "Three of the same weight: everybody has to read all of them.",
    ),
    Rule(
        "pressed_or_read",
        "What can be pressed looks like it",
        "A choice has an edge and the height of a thumb.",
        "Chips are words beside something. As a choice nobody presses them.",
    ),
    Rule(
        "say_what_is_wrong",
        "Say what is wrong, where it is, and how to mend it",
        "The sentence stands below its field and says what to enter.",
        "Far from its field, and blames without helping.",
    ),
)
