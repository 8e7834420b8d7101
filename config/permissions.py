"""A staff member and what they may do, read in one query: every staff call begins with it.

Django's own backend asks three times (the user, their permissions, their groups'), and knox twice more.
"""

from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import Permission, User
from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef, Q, QuerySet, Value
from django.db.models.functions import Concat
from django.utils import timezone
from drf_spectacular.contrib.knox_auth_token import KnoxTokenScheme
from knox.auth import TokenAuthentication

_READ = "permissions_read"  # on a user: what was read along


def permissions_of(user_id: str) -> ArraySubquery:
    """`app.codename` of all that the user in this column has, by themselves or by their groups."""
    user = OuterRef(OuterRef(user_id))
    own = User.user_permissions.through.objects.filter(user_id=user).values("permission_id")
    of_groups = User.groups.through.objects.filter(user_id=user).values("group__permissions")
    found = Permission.objects.filter(Q(pk__in=own) | Q(pk__in=of_groups)).order_by()
    return ArraySubquery(found.values_list(Concat("content_type__app_label", Value("."), "codename")))


class StaffBackend(ModelBackend):
    """Django's backend, which knows the permissions of whom it reads from a session."""

    def get_user(self, user_id: int) -> User | None:
        users: QuerySet[User] = User.objects.annotate(**{_READ: permissions_of("pk")})
        user = users.filter(pk=user_id).first()
        return user if user is not None and self.user_can_authenticate(user) else None

    def get_all_permissions(self, user_obj: Any, obj: Any = None) -> set[str]:
        read = getattr(user_obj, _READ, None)
        if read is None or obj is not None or not user_obj.is_active or user_obj.is_superuser:
            return super().get_all_permissions(user_obj, obj)
        return set(read)


class StaffTokenAuthentication(TokenAuthentication):
    """`Authorization: Token <key>` (decision 2.2). Expired tokens are refused and kept: the admin lists them."""

    def validate_user(self, auth_token: Any) -> Any:
        setattr(auth_token.user, _READ, auth_token.permissions_read)
        return super().validate_user(auth_token)

    def _cleanup_token(self, auth_token: Any) -> bool:
        return auth_token.expiry is not None and auth_token.expiry < timezone.now()


class StaffTokenScheme(KnoxTokenScheme):
    """The same, in the description of the endpoints."""

    target_class = "config.permissions.StaffTokenAuthentication"
