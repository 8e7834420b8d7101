"""What the description of the JSON endpoints (decision 1.9) says about all of them at once.

Views describe what is their own. What the framework may answer on any endpoint, and the one shape that every error
has (decision 1.2), is added here.
"""

from typing import Any

from drf_spectacular.openapi import AutoSchema

from web.permissions import PUBLIC, needed

# Every error of every endpoint; some add fields, and are described by their views.
ERROR = {
    "type": "object",
    "properties": {
        "error": {"type": "string", "description": "One sentence that a person understands."},
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
    400: "The request is not what is needed here.",
    401: "It is not known who is asking.",
    403: "Whoever is asking may not do this; or a browser's form came without its token.",
    404: "There is no such thing.",
    409: "This does not go with what was there before.",
    410: "This was there once.",
    411: "The body does not say how long it is.",
    413: "The body is too large.",
    415: "The body is not JSON.",
    429: "That was too often.",
    503: "What is needed for this can't be reached at the moment. Nothing was stored.",
}
_HEADERS = {
    401: {"WWW-Authenticate": {"schema": {"type": "string"}, "description": "How to say who is asking."}},
    429: {"Retry-After": {"schema": {"type": "integer"}, "description": "Seconds to wait."}},
}


class Description(AutoSchema):
    """One operation, with the statuses that its view does not answer itself."""

    def get_operation(self, *args: Any, **kwargs: Any) -> Any:
        operation = super().get_operation(*args, **kwargs)
        if operation is not None:
            responses = operation["responses"]
            for status in self._statuses_of_the_framework("requestBody" in operation):
                responses.setdefault(str(status), {"content": {"application/json": {"schema": _REFERENCE}}})
            operation["responses"] = {status: _explained(status, responses[status]) for status in sorted(responses)}
        return operation

    def get_auth(self) -> list[dict[str, Any]]:
        """Where anyone may ask, the ways to say who is asking are not needed."""
        ways: list[dict[str, Any]] = super().get_auth()
        return [*ways, {}] if needed(self.view, self.method) == PUBLIC else ways

    def _statuses_of_the_framework(self, has_body: bool) -> set[int]:
        statuses = {401}  # a wrong token is refused even where none is needed
        if needed(self.view, self.method) != PUBLIC or self.method != "GET":
            statuses.add(403)
        if has_body:
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
    """Each app has its own name for the shape of an error; the description has one, `Error`."""
    schemas = result["components"]["schemas"]
    same = {name for name, schema in schemas.items() if _is_error(schema)}
    kept = {name: schema for name, schema in schemas.items() if name not in same} | {"Error": ERROR}
    result["components"]["schemas"] = dict(sorted(kept.items()))
    names = {f"#/components/schemas/{name}" for name in same}
    described: dict[str, Any] = _renamed(result, names)
    return described


def _is_error(schema: dict[str, Any]) -> bool:
    return {"error"} <= set(schema.get("properties", ())) <= set(ERROR["properties"])


def _renamed(part: Any, names: set[str]) -> Any:
    if isinstance(part, dict):
        return _REFERENCE if part.get("$ref") in names else {name: _renamed(each, names) for name, each in part.items()}
    return [_renamed(each, names) for each in part] if isinstance(part, list) else part
