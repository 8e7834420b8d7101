"""The admin of codes, scans, accounts and keys. Importing the modules registers them."""

from qrservice.admin import accounts, codes, keys, scans

__all__ = ["accounts", "codes", "keys", "scans"]
