"""The displays and the dockets of cooks."""
