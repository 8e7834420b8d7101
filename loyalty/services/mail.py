"""Sending mail without waiting long for a slow mail server.

A worker has few threads, and a mail server may take half a minute for one message. Messages are therefore sent by
threads of their own, and a request waits for them only briefly.
"""

from concurrent.futures import Future, ThreadPoolExecutor

from django.core.mail import EmailMessage

MAX_WAIT = 2.0  # seconds
_executor = ThreadPoolExecutor(max_workers=4, thread_name_prefix="mail")


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
