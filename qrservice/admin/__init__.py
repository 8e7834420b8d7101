"""The admin's pages of codes, scans, accounts and keys. Importing them registers them."""

from qrservice.admin import accounts, codes, keys, scans

__all__ = ["accounts", "codes", "keys", "scans"]
