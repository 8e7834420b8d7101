from django.db import migrations

# The points for a table's order had a key that a client can send too. What tells them apart is the digest of the
# request; those of the demonstration had none.
RENAME = """
UPDATE loyalty_pointtransaction
   SET idempotency_key = ' ' || idempotency_key
 WHERE type = 'earn' AND idempotency_key LIKE 'order-%'
   AND request_digest IN
       ('', encode(sha256(convert_to('["order", "' || substr(idempotency_key, 7) || '"]', 'UTF8')), 'hex'))
"""
BACK = """
UPDATE loyalty_pointtransaction SET idempotency_key = ltrim(idempotency_key)
 WHERE type = 'earn' AND idempotency_key LIKE ' order-%'
"""


class Migration(migrations.Migration):
    dependencies = [
        ('loyalty', '0021_letters'),
    ]

    operations = [migrations.RunSQL(RENAME, BACK)]
