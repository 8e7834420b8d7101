import sys

from config.demo.drawing import dishes, rendering

if __name__ == "__main__":
    rendering.FOLDER.mkdir(exist_ok=True)
    for dish in sys.argv[1:] or dishes.drawn():
        sys.stdout.write(f"{rendering.store(dish):>7,}  {dish}\n")
