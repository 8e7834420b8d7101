"""What cooks see and print."""
