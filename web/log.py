"""What the log shows."""

import logging


class RefusalFilter(logging.Filter):
    """Drops the traceback of responses below 500: Django logs one for every 403 and unreadable request."""

    def filter(self, record: logging.LogRecord) -> bool:
        if getattr(record, "status_code", 500) < 500:
            record.exc_info = record.exc_text = None
        return True
