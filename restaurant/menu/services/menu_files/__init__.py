"""The menu as a CSV file: a row for each item.

`csv_file` writes and reads the file, `columns` the cells of a row, `options_cell` the one with an item's options.
`importing` makes a `Plan` of the rows (`plans`), with `option_groups` and `categories` for what several rows share.
"""
