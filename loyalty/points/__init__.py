"""Points: the ledger, the programme's rules, locations where they are earned."""
