"""A mail backend that refuses every address, as mail servers do."""

from smtplib import SMTPRecipientsRefused

from django.core.mail.backends.base import BaseEmailBackend


class Backend(BaseEmailBackend):
    def send_messages(self, email_messages):
        refused = {address: (550, f"<{address}>: unknown".encode()) for mail in email_messages for address in mail.to}
        raise SMTPRecipientsRefused(refused)
