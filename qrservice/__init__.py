"""Dynamic QR codes and their scans."""
