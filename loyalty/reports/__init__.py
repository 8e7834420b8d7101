"""The reports on the loyalty programme.

See "Reports" in docs/behaviour/common.md, and CONTRIBUTING.md for how to add one.

Each module has a `read` that returns what JSON shows; its page and CSV are in `loyalty.reports.pages`.
"""
