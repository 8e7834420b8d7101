"""Sending mail without waiting for a slow mail server.

A worker has few threads, and a mail server may take half a minute for one message. Messages are therefore sent by
threads of their own.
"""

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from django.core.mail import EmailMessage
from django.db import connection

log = logging.getLogger(__name__)

MAX_WAIT = 0.25  # seconds
PAUSE = 0.1  # seconds
MAX_WAITING = 1000  # messages of `send_later`, whose senders get no word of a failure anyway
_executor = ThreadPoolExecutor(max_workers=4, thread_name_prefix="mail")
_places = threading.BoundedSemaphore(MAX_WAITING)


def send(*, subject: str, body: str, to: str) -> "Future[int]":
    """Start sending. The future raises whatever the mail backend raises."""
    return _executor.submit(EmailMessage(subject=subject, body=body, to=[to]).send)


def wait(sending: "Future[int]", *, at_most: float | None) -> bool:
    """Whether it is sent within so many seconds. Raises what the mail backend raises."""
    try:
        sending.result(timeout=at_most)
    except TimeoutError:
        if not sending.done():
            return False
        raise  # the mail server's own timeout
    return True


def send_later(compose: Callable[[], EmailMessage | None]) -> None:
    """Compose a message and send it, once the response has left: its time tells nothing about the message.

    A failure is logged: nobody waits for it.
    """
    if _places.acquire(blocking=False):
        _executor.submit(_send_in_thread, compose)
    else:
        log.error("A mail is not sent: %s others are waiting for the mail server.", MAX_WAITING)


def _send_in_thread(compose: Callable[[], EmailMessage | None]) -> None:
    try:
        time.sleep(PAUSE)
        send_now(compose)
    finally:
        connection.close()  # of this thread
        _places.release()


def send_now(compose: Callable[[], EmailMessage | None]) -> None:
    """Compose a message and send it. A failure is logged, without the address that its text may contain."""
    try:
        message = compose()
        if message is not None:
            message.send()
    except Exception as error:  # whatever a mail backend raises
        log.warning("A mail could not be sent: %s", type(error).__name__)
