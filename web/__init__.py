"""What serves one URL to programs and to people. Every app stands on it; it imports none of them."""
