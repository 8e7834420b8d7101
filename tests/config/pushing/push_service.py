"""A push service and the phones that it serves. RFC 8291 and RFC 8292 are written here anew: no code of ours."""

import json
import socket
import struct
import threading
import time
import uuid
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.servers import wait_for

DAY = 24 * 3600
CURVE = ec.SECP256R1()


def text_of(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def bytes_of(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def point_of(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


@dataclass(frozen=True)
class Received:
    path: str
    headers: dict[str, str]  # names in lower case
    body: bytes


class PushService:
    """Answers with `status`, or as `answers` says for a path, once `is_open` is set."""

    def __init__(self, status: int = 201, headers: dict[str, str] | None = None) -> None:
        self.received: list[Received] = []
        self.status, self.headers = status, headers or {}
        self.is_open = threading.Event()
        self.is_open.set()
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                headers = {name.lower(): text for name, text in self.headers.items()}
                service.received.append(Received(self.path, headers, body))
                service.is_open.wait(60)
                self.send_response(service.status)
                for name, text in service.headers.items():
                    self.send_header(name, text)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_arguments: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def close(self) -> None:
        self.is_open.set()
        self._server.shutdown()
        self._server.server_close()

    def wait_for(self, number: int) -> list[Received]:
        wait_for(lambda: len(self.received) >= number, f"{number} messages")
        return self.received

    def check(self, received: Received, key: str) -> None:
        """Assert what a push service asks of whoever sends. `key` is what the browser has subscribed with."""
        scheme, _, parameters = received.headers["authorization"].partition(" ")
        values = dict(each.strip().split("=", 1) for each in parameters.split(","))
        assert (scheme, values["k"]) == ("vapid", key)
        signed, _, signature = values["t"].rpartition(".")
        head, claims = (json.loads(bytes_of(part)) for part in signed.split("."))
        assert head == {"typ": "JWT", "alg": "ES256"}
        r, s = (int.from_bytes(half, "big") for half in struct.unpack("32s32s", bytes_of(signature)))
        public = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, bytes_of(key))
        public.verify(encode_dss_signature(r, s), signed.encode(), ec.ECDSA(hashes.SHA256()))
        assert claims["aud"] == self.origin
        assert time.time() < claims["exp"] <= time.time() + DAY
        assert claims["sub"].startswith("mailto:")
        assert received.headers["content-encoding"] == "aes128gcm"


@dataclass
class Phone:
    """A browser that has asked its push service for an address."""

    service: PushService
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(CURVE))
    auth: bytes = b"sixteen bytes, a"
    path: str = field(default_factory=lambda: f"/send/{uuid.uuid4().hex}")

    @property
    def endpoint(self) -> str:
        return self.service.origin + self.path

    @property
    def subscription(self) -> dict:
        """As the browser's `PushSubscription.toJSON()`."""
        keys = {"p256dh": text_of(point_of(self.key)), "auth": text_of(self.auth)}
        return {"endpoint": self.endpoint, "expirationTime": None, "keys": keys}

    def read(self, body: bytes) -> dict:
        """Decrypt a message as RFC 8291 says."""
        salt, (size, length) = body[:16], struct.unpack("!IB", body[16:21])
        sender, sealed = body[21 : 21 + length], body[21 + length :]
        assert len(sealed) <= size
        shared = self.key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, sender))
        info = b"WebPush: info\0" + point_of(self.key) + sender
        secret = HKDF(hashes.SHA256(), 32, self.auth, info).derive(shared)
        key = HKDF(hashes.SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(secret)
        nonce = HKDF(hashes.SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(secret)
        plain = AESGCM(key).decrypt(nonce, sealed, None).rstrip(b"\0")
        assert plain.endswith(b"\2")  # the last record
        return json.loads(plain[:-1])

    @property
    def messages(self) -> list[dict]:
        return [self.read(each.body) for each in self.service.received if each.path == self.path]

    @property
    def titles(self) -> list[str]:
        return [message["title"] for message in self.messages]


def closed_port() -> int:
    """Of a service that is away."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def subscribe(client, phone: Phone, **values: object):
    return client.post("/push/subscriptions", {**phone.subscription, **values}, format="json")
