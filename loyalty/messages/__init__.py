"""What members are written."""
