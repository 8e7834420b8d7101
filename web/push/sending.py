"""Messages on their way to push services: encrypted for the phone (RFC 8291), signed by us (RFC 8292)."""

import json
import re
import time
from email.utils import parseaddr
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings

from web.outgoing import OneHostSession
from web.push.models import PushKey, Subscription

TIMEOUT = 5.0  # seconds until there is a connection, and then until the answer
SIGNED_FOR = 12 * 3600  # seconds
GONE = 410
_ENDPOINT = re.compile(r"https?://[a-z0-9.-]+(:[0-9]+)?/[\w.~:/?#\[\]@!$&'()*+,;=%-]*", re.ASCII)


def is_known(endpoint: str) -> bool:
    """Return whether it is of one of PUSH_HOSTS: clients name it, and this server calls no other host for them."""
    if not _ENDPOINT.fullmatch(endpoint):
        return False
    scheme, host, *_others = urlsplit(endpoint)
    is_below = scheme == "https" and any(f".{host}".endswith(f".{known}") for known in settings.PUSH_HOSTS)
    return is_below or f"{scheme}://{host}" in settings.PUSH_HOSTS


def new_key() -> PushKey:
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
    from py_vapid import Vapid02
    from py_vapid.utils import b64urlencode

    vapid = Vapid02()
    vapid.generate_keys()
    point = vapid.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return PushKey(pk=1, private=vapid.private_pem().decode(), public=b64urlencode(point))


def send(phone: Subscription, key: PushKey, payload: dict[str, str], *, ttl: int, topic: str) -> tuple[int, int]:
    """Send a message that is worth nothing after `ttl` seconds, in place of an earlier one of the same topic.

    Return the status of the answer, 0 where there is none, and the seconds after which to try again, if it says so.
    """
    from py_vapid import Vapid02
    from pywebpush import WebPusher  # a third of a second, for the process that sends

    vapid = Vapid02.from_pem(key.private.encode())
    vapid.conf["no-strict"] = True  # its own check refuses senders at hosts without a dot
    sender = parseaddr(settings.DEFAULT_FROM_EMAIL)[1]
    claims = {"aud": phone.service, "exp": int(time.time()) + SIGNED_FOR, "sub": f"mailto:{sender}"}
    headers = {"TTL": str(ttl), "Urgency": "high", "Topic": topic, **vapid.sign(claims)}
    keys = {"p256dh": phone.p256dh, "auth": phone.auth}
    try:
        pusher = WebPusher({"endpoint": phone.endpoint, "keys": keys}, OneHostSession())
        response: Any = pusher.send(json.dumps(payload), headers, timeout=TIMEOUT)
    except OSError:  # every error of requests is one
        return 0, 0
    except ValueError:  # its key is no point of the curve
        return GONE, 0
    wait = response.headers.get("Retry-After", "")
    return response.status_code, int(wait) if re.fullmatch("[0-9]{1,4}", wait) else 0
