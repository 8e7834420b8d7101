"""Tables, their codes and cards, and the plan of the room."""
