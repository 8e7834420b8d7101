"""Authentication by the X-API-Key header."""

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from qrservice.models import ApiKey
from qrservice.services import keys

GENERATE = "key:generate"
ANALYTICS = "key:analytics"


class KeyHolder:
    """The user of a request with an API key; its permissions are the key's scopes."""

    is_authenticated = True
    is_active = True

    def __init__(self, key: ApiKey) -> None:
        self.key = key
        self.account = key.account
        self.pk = None

    def has_perm(self, permission: str) -> bool:
        return {GENERATE: self.key.can_generate, ANALYTICS: self.key.can_read_analytics}.get(permission, False)


class ApiKeyScheme(OpenApiAuthenticationExtension):
    """API keys in the OpenAPI description."""

    target_class = "qrservice.v1.authentication.ApiKeyAuthentication"
    name = "ApiKey"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {"type": "apiKey", "in": "header", "name": "X-API-Key"}


class ApiKeyAuthentication(BaseAuthentication):
    def authenticate(self, request: Request) -> tuple[KeyHolder, ApiKey] | None:
        secret = request.headers.get("X-API-Key")
        if not secret:
            return None
        key = keys.recognise(secret)
        if key is None:
            raise AuthenticationFailed("This API key is not valid.")
        return KeyHolder(key), key

    def authenticate_header(self, request: Request) -> str:
        return "X-API-Key"
