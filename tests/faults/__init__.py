"""Faults played on real processes, with orders, points and scans under load: `make faults`."""
