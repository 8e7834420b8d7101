"""The rows of `place`: tables, what else is in the rooms, locations and rewards."""

from config.demo import place
from config.demo.history import History
from loyalty.models import Location, Reward
from restaurant.models import RoomFeature, Table


def write(history: History) -> None:
    for section, tables in place.TABLES.items():
        for seats, column, row, shape in tables:
            table = Table(
                table_number=len(history.tables) + 1,
                section=section,
                capacity=seats,
                plan_column=column,
                plan_row=row,
                plan_shape=shape,
                created_at=history.opened,
            )
            history.tables.append(table)
    history.features += [
        RoomFeature(section=section, kind=kind, column=column, row=row, width=width, height=height, text=text)
        for section, features in place.FEATURES.items()
        for kind, column, row, width, height, text in features
    ]
    for name, address, weight in place.LOCATIONS:
        history.location_weights[Location(name=name, address=address)] = weight
    for name, text, points, kind, value, weight in place.REWARDS:
        reward = Reward(
            name=name,
            description=text,
            points_required=points,
            reward_type=kind,
            reward_value=value,
            created_at=history.opened,
        )
        history.reward_weights[reward] = weight
    history.locations += history.location_weights
    history.rewards += history.reward_weights
