"""A member's card as the member, the till or anyone else sees it; the till."""
