"""Permissions of views.

A view declares `access`: `PUBLIC`, a permission such as `"restaurant.work_kitchen"`, a tuple of permissions of which
one is enough, or a mapping from HTTP methods to these. A view that declares nothing is open to nobody.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rest_framework.permissions import BasePermission
from rest_framework.request import Request

if TYPE_CHECKING:  # DRF's views import this module while they are being imported
    from rest_framework.views import APIView

PUBLIC = "public"

Needed = str | tuple[str, ...]
Access = Needed | Mapping[str, Needed]


def needed(view: object, method: str) -> Needed | None:
    """Return what `view` declares for `method`: PUBLIC, permissions, or None if nothing is declared."""
    declared: Access | None = getattr(view, "access", None)
    if isinstance(declared, Mapping):
        return declared.get("GET" if method == "HEAD" else method)
    return declared


class DeclaredAccess(BasePermission):
    """Allows callers who have a permission that the view declares."""

    def has_permission(self, request: Request, view: "APIView") -> bool:
        if request.method not in view.allowed_methods:
            return True  # the response will be 405, not 403
        permission = needed(view, request.method or "")
        if permission == PUBLIC:
            return True
        enough = (permission,) if isinstance(permission, str) else permission or ()
        return any(request.user.has_perm(name) for name in enough)
