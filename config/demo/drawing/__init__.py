"""Pictures of the demonstration's dishes, drawn for this project.

`python -m config.demo.drawing` draws them all and stores them in `config/demo/pictures`; names of dishes as arguments
draw only those. With DJANGO_SETTINGS_MODULE set, `python -m config.demo.drawing venue` draws the venue's logo and cover
picture instead, into `config/demo/venue`. It needs resvg_py, which is a requirement of the tests
(`tests/requirements.txt`), and Pillow. The drawings are not imported at run time: the restaurant uses the stored
pictures.

A dish is a function that returns SVG, from `dishes.py`: plain things and those that no picture does justice have none.
"""
