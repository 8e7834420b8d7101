from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import migrations, models

from web.indexes import ResumableAddIndex

# 'anna' has 'ann' and 'nna'. What is shorter than three characters is its own.
TRIGRAMS = """
CREATE OR REPLACE FUNCTION trigrams(text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000 AS $$
    SELECT array_agg(DISTINCT substr($1, place, 3)) FROM generate_series(1, greatest(length($1) - 2, 1)) place
$$
"""


class Migration(migrations.Migration):
    """While points are given as always. The index of a million members takes half a minute."""

    atomic = False
    dependencies = [("loyalty", "0017_sums_of_days")]

    operations = [
        migrations.RunSQL(TRIGRAMS, "DROP FUNCTION trigrams(text)"),
        ResumableAddIndex(
            "member",
            GinIndex(
                models.Func("search_text", function="trigrams", output_field=ArrayField(models.TextField())),
                name="member_trigrams",
            ),
        ),
    ]
