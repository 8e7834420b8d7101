"""A staff member and what they may do, read in one query: every staff call begins with it.

Django's own backend asks three times (the user, their permissions, their groups'), and knox twice more. The SQL is
written out because building it anew from Django's expressions took longer than running it.
"""

from hmac import compare_digest
from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import User
from django.db import connection
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from drf_spectacular.contrib.knox_auth_token import KnoxTokenScheme
from knox.auth import TokenAuthentication
from knox.crypto import hash_token
from knox.settings import CONSTANTS
from rest_framework.exceptions import AuthenticationFailed

_PERMISSIONS = """
ARRAY(SELECT t.app_label || '.' || p.codename
        FROM auth_permission p JOIN django_content_type t ON t.id = p.content_type_id
       WHERE p.id IN (SELECT permission_id FROM auth_user_user_permissions WHERE user_id = u.id
                      UNION ALL
                      SELECT gp.permission_id
                        FROM auth_user_groups ug JOIN auth_group_permissions gp ON gp.group_id = ug.group_id
                       WHERE ug.user_id = u.id)) AS permissions_read
"""
_FIELDS = [field.attname for field in User._meta.concrete_fields]
_COLUMNS = ", ".join(f"u.{field.column}" for field in User._meta.concrete_fields)
_USER = f"SELECT {_PERMISSIONS}, {_COLUMNS} FROM auth_user u WHERE u.id = %s"  # noqa: S608 (nobody else's text in it)
_TOKENS = f"""
SELECT k.digest, k.expiry, {_PERMISSIONS}, {_COLUMNS}
  FROM config_stafftoken k JOIN auth_user u ON u.id = k.user_id WHERE k.token_key = %s
"""  # noqa: S608


def _read(statement: str, value: Any) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, [value])
        return cursor.fetchall()


def _user(permissions: list[str], *values: Any) -> User:
    """As Django makes one from a row; raw querysets take as long again to find out what the columns are."""
    user: Any = User.from_db(connection.alias, _FIELDS, values)
    user.permissions_read = permissions
    return user


class StaffBackend(ModelBackend):
    """Django's backend, which knows the permissions of whom it reads from a session."""

    def get_user(self, user_id: int) -> User | None:
        for row in _read(_USER, user_id):
            user = _user(*row)
            return user if self.user_can_authenticate(user) else None
        return None

    def get_all_permissions(self, user_obj: Any, obj: Any = None) -> set[str]:
        read = getattr(user_obj, "permissions_read", None)
        if read is None or obj is not None or not user_obj.is_active or user_obj.is_superuser:
            return super().get_all_permissions(user_obj, obj)
        return set(read)


class StaffTokenAuthentication(TokenAuthentication):
    """`Authorization: Token <key>` (decision 2.2). Expired tokens are refused and kept: the admin lists them."""

    def authenticate_credentials(self, token: bytes) -> tuple[User, str]:
        """Whose token it is, and its first characters. Raises AuthenticationFailed."""
        try:
            key = token.decode("ascii")
        except UnicodeDecodeError as error:
            raise AuthenticationFailed(_("Invalid token.")) from error
        start = key[: CONSTANTS.TOKEN_KEY_LENGTH]
        for digest, expiry, *row in _read(_TOKENS, start.replace("\0", "")):
            is_over = expiry is not None and expiry < timezone.now()
            if compare_digest(hash_token(key), digest) and not is_over:
                user = _user(*row)
                if not user.is_active:
                    raise AuthenticationFailed(_("This account is no longer in use."))
                return user, start
        raise AuthenticationFailed(_("Invalid token."))


class StaffTokenScheme(KnoxTokenScheme):
    """The same, in the description of the endpoints."""

    target_class = "config.permissions.StaffTokenAuthentication"
