"""What a member usually has, for the till and their report. See "Your usual" in docs/behaviour.md."""

from restaurant import queries

MOST = 3


def find(member_id: str) -> list[str]:
    """The names of those that are on the menu."""
    usual = queries.usual_of(member_id)
    if not usual:
        return []
    dishes = queries.menu_state().catalogue.dishes
    return [dishes[each].item.name for each in usual if each in dishes][:MOST]
