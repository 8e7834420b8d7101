"""What managers read about the programme (document 2): one module a report, computed in the database.

Each has `read(...)`, the JSON body to the letter, and `read_for_page(...)`, that body and what its page and CSV show
besides. The clock and the time zone come as arguments.
"""
