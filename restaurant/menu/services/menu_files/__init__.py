"""The menu as a file: a row for each item.

`csv_file` writes the file, and reads one as owners have them by `web.imports`: `rows` knows what else there is in a
menu, with `words` in thirteen languages, `amounts` and the `legend` of allergens. What only the owner can say is a
question of the `Reading`; the file is read again with the answer.
`columns` reads the cells of a row, `options_cell` the one with an item's options.
`importing` makes a `Plan` of the rows (`plans`), with `option_groups` and `categories` for what several rows share.
"""
