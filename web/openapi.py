"""The parts of the OpenAPI description that are the same for every endpoint.

Views describe their own responses. The usual statuses and the shape of errors are added here.
"""

from typing import Any

from drf_spectacular.openapi import AutoSchema

from web.permissions import PUBLIC, needed

# Every error; the views describe those with more fields.
ERROR: dict[str, Any] = {
    "type": "object",
    "properties": {
        "error": {"type": "string", "description": "One sentence for people."},
        "fields": {
            "type": "object",
            "additionalProperties": {"type": "string"},
            "description": "What is wrong with each field of a refused body, query or header.",
        },
    },
    "required": ["error"],
}
_REFERENCE = {"$ref": "#/components/schemas/Error"}

_MEANINGS = {
    400: "The request is invalid.",
    401: "Authentication is missing or invalid.",
    403: "The caller may not do this; or a browser's form came from another site or without its token.",
    404: "Not found.",
    409: "This conflicts with the present state.",
    410: "No longer in use.",
    411: "The request has no Content-Length.",
    413: "The body is too large.",
    415: "The body is not JSON.",
    429: "Too many requests.",
    503: "A service that this needs can't be reached. Nothing was saved.",
}
_HEADERS = {
    401: {"WWW-Authenticate": {"schema": {"type": "string"}, "description": "How to authenticate."}},
    429: {"Retry-After": {"schema": {"type": "integer"}, "description": "Seconds to wait."}},
}


class Description(AutoSchema):
    """Describes one operation, with the usual statuses."""

    def get_operation(self, *args: Any, **kwargs: Any) -> Any:
        operation = super().get_operation(*args, **kwargs)
        if operation is not None:
            responses = operation["responses"]
            for status in self._usual_statuses(operation):
                responses.setdefault(str(status), {"content": {"application/json": {"schema": _REFERENCE}}})
            operation["responses"] = {status: _explained(status, responses[status]) for status in sorted(responses)}
        return operation

    def get_description(self) -> str:  # type: ignore[override]
        """Return the view's own docstring; that of its base class is for developers."""
        return str(super().get_description()) if type(self.view).__doc__ else ""

    def get_auth(self) -> list[dict[str, Any]]:
        """Make authentication optional for public endpoints."""
        ways: list[dict[str, Any]] = super().get_auth()
        return [*ways, {}] if needed(self.view, self.method) == PUBLIC else ways

    def _usual_statuses(self, operation: dict[str, Any]) -> set[int]:
        statuses = {401}  # an invalid token is refused on public endpoints too
        if "{" in self.path and not self.path.endswith("{token}"):
            statuses.add(404)  # what it names may not exist; that of a mail has a page of its own
        if any(parameter["name"] == "Idempotency-Key" for parameter in operation.get("parameters", ())):
            statuses.add(409)
        if needed(self.view, self.method) != PUBLIC or self.method != "GET":
            statuses.add(403)
        if "requestBody" in operation:
            statuses |= {400, 411, 413, 415}
        if getattr(type(self.view), "throttle_scope", ""):
            statuses.add(429)
        return statuses


def _explained(status: str, response: dict[str, Any]) -> dict[str, Any]:
    explained = {**response, "description": response.get("description") or _MEANINGS.get(int(status), "")}
    if int(status) in _HEADERS:
        explained["headers"] = _HEADERS[int(status)] | response.get("headers", {})
    return explained


def one_error(result: dict[str, Any], **_kwargs: Any) -> dict[str, Any]:
    """Replace the serializers of errors by one component, `Error`."""
    schemas = result["components"]["schemas"]
    same = {name for name, schema in schemas.items() if _is_error(schema)}
    others = {name: schema for name, schema in schemas.items() if name not in same} | {"Error": ERROR}
    for schema in others.values():
        if "error" in schema.get(
            "properties", ()
        ):  # it has more of its own, and may say what is wrong with fields, too
            schema["properties"] |= {"fields": ERROR["properties"]["fields"]}
    result["components"]["schemas"] = dict(sorted(others.items()))
    names = {f"#/components/schemas/{name}" for name in same}
    described: dict[str, Any] = _simplified(result, names)
    return described


def _is_error(schema: dict[str, Any]) -> bool:
    return {"error"} <= set(schema.get("properties", ())) <= set(ERROR["properties"])


def _simplified(part: Any, errors: set[str]) -> Any:
    """Refer to `Error` in place of `errors`, and drop `readOnly`: responses are read-only as a whole."""
    if isinstance(part, dict):
        if part.get("$ref") in errors:
            return _REFERENCE
        return {name: _simplified(value, errors) for name, value in part.items() if name != "readOnly"}
    return [_simplified(value, errors) for value in part] if isinstance(part, list) else part
