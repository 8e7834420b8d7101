"""Dynamic QR codes and their scans (document 1)."""
