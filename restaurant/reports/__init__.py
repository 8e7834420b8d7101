"""The restaurant's reports. See "Reports" in docs/behaviour/common.md, and CONTRIBUTING.md for how to add one.

Each module has a `read` that returns what JSON shows; its page and CSV are in `restaurant.reports.pages`.
"""
