"""`python manage.py messages`: brings the catalogues in `locale/` up to date with the words in code and templates.

A catalogue of a language for guests alone has the words of their pages, mails and papers: see `OF_GUESTS`.
"""

import ast
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from babel.messages import Catalog, extract, pofile
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.template.base import Lexer, Token, TokenType
from django.utils.translation import template as words

from web.languages import FOR_GUESTS, FOR_STAFF, NAMES

APPS = ("web", "qrservice", "loyalty", "restaurant", "config", "templates")
KEYWORDS = {name: extract.DEFAULT_KEYWORDS[name.removesuffix("_lazy")] for name in (
    "_", "gettext", "gettext_lazy", "ngettext", "ngettext_lazy", "pgettext", "pgettext_lazy", "npgettext")}  # fmt: skip
Found = Iterator[tuple[int, str, Any, list[str]]]  # line, function, its texts, comments

# Headers that say nothing, or something else whenever this command runs.
LEFT_OUT = tuple(f'"{name}'.encode() for name in (
    "Project-", "Report-", "POT-", "PO-", "Last-", "Language-Team", "Generated-"))  # fmt: skip

# Where the words of guests' pages, mails and papers are; those of a file for both are in all catalogues.
OF_GUESTS = re.compile(
    r"templates/(web/(base|error|_brand|_code_card|_logo|_facts|_language)|config/front_page|qrservice/"
    r"|restaurant/(_toast|refused)"
    r"|restaurant/ordering/(?!_staff|staff_order)|restaurant/billing/(_bill_(?!adjust|why)|_receipt|bill\.|receipt)"
    r"|loyalty/(_|mail|members/|rewards/|cards/(?!_till|till|location_cards)))"
    r"|restaurant/(errors|menu/(models|queries|views/(?!availability))|ordering/(models|queries|serializers|views|services)"
    r"|kitchen/printing/characters|billing/(models/(adjustments|parts|payments)|paper|queries|serializers|services|views))"
    r"|loyalty/(errors|mail|cards/(views|queries|serializers)|members|messages|points|rewards)"
    r"|web/(errors|error_pages|fields|forms|middleware|money|rendering|throttling|database_errors|templatetags)"
    r"|qrservice/(views|errors)"
)


class Command(BaseCommand):
    help = "Brings the catalogues in locale/ up to date; with --check says what is missing, and changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("languages", nargs="*", help="of these languages alone; a new one is begun")
        parser.add_argument("--check", action="store_true")

    def handle(self, *args: Any, languages: list[str], check: bool, **options: Any) -> None:
        every, missing = extracted(settings.BASE_DIR), []
        there = [path.name.lower().replace("_", "-") for path in (settings.BASE_DIR / "locale").glob("*")]
        for language in languages or sorted(there):
            if language not in NAMES:
                raise CommandError(f"{language} is none of {', '.join(NAMES)}.")
            catalogue = updated(language, every)
            lacking = [message for message in catalogue if message.id and not is_translated(message)]
            self.stdout.write(f"{language}: {len(catalogue)} messages, {len(lacking)} not translated")
            if check:
                missing += [(language, message.id) for message in lacking if language in FOR_GUESTS]
                continue
            path = path_of(language)
            path.parent.mkdir(parents=True, exist_ok=True)
            written = io.BytesIO()
            pofile.write_po(written, catalogue, include_lineno=False, ignore_obsolete=True, sort_output=True)
            lines = written.getvalue().splitlines(keepends=True)
            path.write_bytes(b"".join(line for line in lines if not line.startswith(LEFT_OUT)))
        if missing:
            named = ", ".join(f"{language} {text!r}" for language, text in missing[:20])
            raise CommandError(f"Not translated: {named}. `make messages` writes them into locale/.")


def path_of(language: str) -> Path:
    folder = {"zh-hans": "zh_Hans"}.get(language, language)
    return Path(settings.BASE_DIR) / "locale" / folder / "LC_MESSAGES" / "django.po"


def is_translated(message: Any) -> bool:
    return not message.fuzzy and (all(message.string) if isinstance(message.string, tuple) else bool(message.string))


def updated(language: str, every: Catalog) -> Catalog:
    """Return the stored catalogue with these messages, as far as readers of the language see them."""
    catalogue = Catalog(locale=language.replace("-", "_"), fuzzy=False, header_comment="# Translations of Regulars.")
    if path_of(language).exists():
        with path_of(language).open("rb") as file:
            catalogue = pofile.read_po(file, locale=language.replace("-", "_"))
    template = Catalog(fuzzy=False)
    for message in every:
        if message.id and (language in FOR_STAFF or language in FULL or is_of_guests(message)):
            template.add(message.id, locations=message.locations, flags=message.flags, context=message.context)
    catalogue.update(template, no_fuzzy_matching=True)
    return catalogue


FULL = ("de", "fr", "it", "es")  # with all words, also while they are not complete for staff


def is_of_guests(message: Any) -> bool:
    return any(OF_GUESTS.match(path) for path, _line in message.locations)


def extracted(root: Path) -> Catalog:
    """Return the messages of all code and templates, with the files that they are in.

    One that is also the singular of a plural is refused: catalogues have one entry for both, with its %(count)s.
    """
    catalogue = Catalog(fuzzy=False)
    for app in APPS:
        for path in sorted((root / app).rglob("*")):
            if path.suffix not in (".py", ".html", ".txt") or "migrations" in path.parts:
                continue
            method: Any = python_words if path.suffix == ".py" else template_words
            with path.open("rb") as file:
                for _line, message, _comments, context in extract.extract(method, file, KEYWORDS):
                    same = catalogue.get(message if isinstance(message, str) else message[0], context)
                    if same and same.id != message:
                        raise CommandError(f"Alone and with a plural, or with two of them: {message!r}, {path}.")
                    catalogue.add(message, locations=[(str(path.relative_to(root)), 1)], context=context)
    return catalogue


def python_words(file: BinaryIO, keywords: Any, comment_tags: Any, options: Any) -> Found:
    """Yield the messages of a module, also those within f-strings, where Babel does not look."""
    for call in (node for node in ast.walk(ast.parse(file.read())) if isinstance(node, ast.Call)):
        name = getattr(call.func, "id", getattr(call.func, "attr", ""))
        texts = [part.value for part in call.args if isinstance(part, ast.Constant) and isinstance(part.value, str)]
        if name in keywords and texts:
            yield call.lineno, name, texts if len(texts) > 1 else texts[0], []


def template_words(file: BinaryIO, keywords: Any, comment_tags: Any, options: Any) -> Found:
    """Yield the messages of a template: for Babel, which knows Django's templates not."""
    tokens = iter(Lexer(file.read().decode()).tokenize())
    for token in tokens:
        if token.token_type not in (TokenType.BLOCK, TokenType.VAR):
            continue
        is_block = token.token_type == TokenType.BLOCK
        line = token.lineno or 0
        if is_block and (inline := words.inline_re.match(token.contents)):
            yield line, *_in_context(inline[2], "gettext", _unquoted(inline[1])), []
        elif is_block and (opening := words.block_re.match(token.contents)):
            singular, plural = _block(token, tokens)
            kind, texts = ("ngettext", (singular, plural)) if plural else ("gettext", (singular,))
            yield line, *_in_context(opening[1], kind, *texts), []
        for one, many in re.findall(r'^plural_forms "([^"]+)" "([^"]+)"$', token.contents):
            yield line, "ngettext", (one, many), []
        for constant in words.constant_re.findall(token.contents):
            yield line, "gettext", _unquoted(constant), []


def _in_context(context: str | None, kind: str, *texts: str) -> tuple[str, Any]:
    """Return the function of gettext that translates these, and its arguments."""
    found = words.context_re.match(context) if context else None
    if found:
        kind, texts = kind.replace("gettext", "pgettext"), (_unquoted(found[1]), *texts)
    return kind, texts if len(texts) > 1 else texts[0]


def _unquoted(text: str) -> str:
    return text[1:-1].replace("%", "%%") if text[:1] in "'\"" else text


def _block(opening: Token, tokens: Iterator[Token]) -> tuple[str, str]:
    """Return what stands in a `blocktranslate`, and its plural or nothing."""
    parts: list[list[str]] = [[]]
    for token in tokens:
        if token.token_type == TokenType.BLOCK and words.endblock_re.match(token.contents):
            break
        if token.token_type == TokenType.BLOCK and words.plural_re.match(token.contents):
            parts.append([])
        else:
            is_name = token.token_type == TokenType.VAR
            parts[-1].append(f"%({token.contents.strip()})s" if is_name else token.contents.replace("%", "%%"))
    texts = ["".join(part) for part in parts]
    if re.search(r"\btrimmed\b", opening.contents):
        texts = [" ".join(line.strip() for line in text.strip().splitlines()) for text in texts]
    return texts[0], texts[1] if len(texts) > 1 else ""
