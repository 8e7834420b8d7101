"""What managers ask: one module a report (document 3, decision 5.9). The clock and the time zone are arguments."""
