"""What a member usually has, for the till. See "Your usual" in docs/behaviour.md."""

from restaurant import queries

MOST = 3


def find(member_id: str) -> list[str]:
    """The names of those that are on the menu."""
    dishes = queries.menu_state().catalogue.dishes
    return [dishes[each].item.name for each in queries.usual_of(member_id) if each in dishes][:MOST]
