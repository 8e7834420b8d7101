"""Files of owners that the admin imports: `reading` takes lines out of a text, `workbook` out of an .xlsx, and a
`table` finds out which column is which. `pages` shows what would change before anything does.
"""
