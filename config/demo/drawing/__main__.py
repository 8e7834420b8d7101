import sys

import django

from config.demo.drawing import dishes, rendering


def draw_venue() -> None:
    django.setup()  # what makes pictures small for a venue does so for this one
    from config.demo.drawing import venue

    for path, size in venue.store().items():
        sys.stdout.write(f"{size:>7,}  {path.name}\n")


if __name__ == "__main__":
    if sys.argv[1:] == ["venue"]:
        draw_venue()
        sys.exit()
    rendering.FOLDER.mkdir(exist_ok=True)
    for dish in sys.argv[1:] or dishes.drawn():
        sys.stdout.write(f"{rendering.store(dish):>7,}  {dish}\n")
