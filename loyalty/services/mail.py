"""Sending mail without making anybody wait long for a slow mail server.

A worker has few threads, and a mail server may take half a minute for one mail: so it is sent by a thread that does
nothing else, and is waited for only as long as a person would.
"""

from concurrent.futures import Future, ThreadPoolExecutor

from django.core.mail import EmailMessage

PATIENCE = 2.0  # seconds
_POSTMEN = ThreadPoolExecutor(max_workers=4, thread_name_prefix="mail")


def post(*, subject: str, body: str, to: str) -> "Future[int]":
    """Begin to send it. The result is there once the server has it; its exception is whatever the backend raised."""
    return _POSTMEN.submit(EmailMessage(subject=subject, body=body, to=[to]).send)


def arrives(sending: "Future[int]", *, within: float | None) -> bool:
    """True once it was sent; False if it is still under way after so many seconds. Raises what the backend raised."""
    try:
        sending.result(timeout=within)
    except TimeoutError:
        if not sending.done():
            return False
        raise  # the mail server's, not ours
    return True
