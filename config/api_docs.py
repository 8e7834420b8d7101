"""The OpenAPI description as a page reads it: endpoints by subject, each with what it takes and gives.

In place of Swagger UI: that nests buttons in buttons, has too little contrast, and needs 1.5 MB of script.
"""

import re
from dataclasses import dataclass
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _

_DEEPEST = 8  # of shapes within shapes
_OWN_ADDRESS = re.compile(r"^`(?:GET |POST |PUT |PATCH |DELETE )?/[^`]*`(?::|\.)?\s*")


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    where: str
    kind: str
    required: bool
    words: str


@dataclass(frozen=True, slots=True)
class Answer:
    """`shape`: JSON with types in place of values; empty for one without a body."""

    status: str
    words: str
    shape: str


@dataclass(frozen=True, slots=True)
class Endpoint:
    anchor: str
    method: str
    path: str
    title: str
    words: str
    access: str
    parameters: list[Parameter]
    body: str
    answers: list[Answer]
    errors: list[Answer]


@dataclass(frozen=True, slots=True)
class Subject:
    name: str
    endpoints: list[Endpoint]


def subjects(schema: dict[str, Any]) -> list[Subject]:
    """In the order of the description."""
    named: dict[str, list[Endpoint]] = {}
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            endpoint = _endpoint(schema, method, path, operation)
            named.setdefault(operation.get("tags", [""])[0], []).append(endpoint)
    return [Subject(capfirst(name.replace("-", " ")), endpoints) for name, endpoints in named.items()]


def _endpoint(schema: dict[str, Any], method: str, path: str, operation: dict[str, Any]) -> Endpoint:
    words = capfirst(_OWN_ADDRESS.sub("", operation.get("description", "")).strip())
    title, _end, rest = words.partition("\n")
    answers = [_answer(schema, *each) for each in operation["responses"].items()]
    return Endpoint(
        anchor=operation["operationId"],
        method=method.upper(),
        path=path,
        title=title,
        words=rest.strip(),
        access=_access(operation.get("security", [])),
        parameters=[_parameter(schema, each) for each in operation.get("parameters", [])],
        body=_content(schema, operation.get("requestBody", {})),
        answers=[each for each in answers if each.status < "400"],
        errors=[each for each in answers if each.status >= "400"],
    )


def _access(security: list[dict[str, Any]]) -> str:
    if {} in security:
        return _("Everyone.")
    if any("ApiKey" in each for each in security):
        return _("Programs with an API key, in the header X-API-Key.")
    return _("Staff with the right to it: signed in, or with a token in the header Authorization.")


def _parameter(schema: dict[str, Any], each: dict[str, Any]) -> Parameter:
    places = {"path": _("in the address"), "query": _("after the question mark"), "header": _("header")}
    return Parameter(
        each["name"],
        places.get(each["in"], each["in"]),
        _shape(schema, each["schema"]).strip(),
        each.get("required", False),
        each.get("description", ""),
    )


def _answer(schema: dict[str, Any], status: str, response: dict[str, Any]) -> Answer:
    return Answer(status, response.get("description", ""), _content(schema, response))


def _content(schema: dict[str, Any], holder: dict[str, Any]) -> str:
    content = holder.get("content", {}).get("application/json", {})
    return _shape(schema, content["schema"]) if "schema" in content else ""


# --- shapes -----------------------------------------------------------------------------------------


def _shape(schema: dict[str, Any], node: dict[str, Any], depth: int = 0) -> str:
    """As JSON that is indented by `depth`, a type where a value would be, a question mark where it may be left out."""
    node = _resolved(schema, node)
    null = " | null" if node.get("nullable") else ""
    if "properties" in node and depth < _DEEPEST:
        return _object(schema, node, depth) + null
    if node.get("type") == "array":
        return f"[{_shape(schema, node.get('items', {}), depth)}, …]{null}"
    for key in ("oneOf", "anyOf"):
        if key in node:
            return " | ".join(dict.fromkeys(_shape(schema, each, depth) for each in node[key])) + null
    if "enum" in node:
        return " | ".join(f'"{each}"' if isinstance(each, str) else str(each) for each in node["enum"]) + null
    return f"{node.get('format') or node.get('type') or 'any'}{null}"


def _object(schema: dict[str, Any], node: dict[str, Any], depth: int) -> str:
    indent = "  " * (depth + 1)
    required = node.get("required", [])
    lines = [
        f'{indent}"{name}"{"" if name in required else "?"}: {_shape(schema, each, depth + 1)}'
        for name, each in node["properties"].items()
    ]
    return "{\n" + ",\n".join(lines) + "\n" + "  " * depth + "}"


def _resolved(schema: dict[str, Any], node: dict[str, Any]) -> dict[str, Any]:
    """The component that a reference names, with what stands beside the reference."""
    if len(node.get("allOf", [])) == 1:
        node = {**node["allOf"][0], **{key: value for key, value in node.items() if key != "allOf"}}
    if "$ref" not in node:
        return node
    beside = {key: value for key, value in node.items() if key != "$ref"}
    return _resolved(schema, {**schema["components"]["schemas"][node["$ref"].rsplit("/", 1)[1]], **beside})
