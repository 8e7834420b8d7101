"""The menu as a file: a row for each item.

`csv_file` writes the file, and reads one as owners have them: `reading` takes lines out of a text, `workbook` out of an
.xlsx, and `rows` finds out which column is which, with `words` in thirteen languages, `amounts` and the `legend` of
allergens. What only the owner can say is a question of the `Reading`; the file is read again with the answer.
`columns` reads the cells of a row, `options_cell` the one with an item's options.
`importing` makes a `Plan` of the rows (`plans`), with `option_groups` and `categories` for what several rows share.
"""
