"""What waits for the kitchen's printers."""

from rest_framework import serializers


# Of a `restaurant.queries.LatePrinter`.
class LateDockets(serializers.Serializer):
    """Dockets that a printer should have printed by now."""

    printer = serializers.CharField(help_text="Its name.")
    count = serializers.IntegerField()
    since = serializers.DateTimeField(help_text="When the oldest of them was made.")
    error = serializers.CharField(allow_blank=True, help_text="What is wrong, where it is known.")
