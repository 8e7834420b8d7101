from django.db import migrations

# As `plain` of web/searching.py. Texts of English letters, which most are, take the short way.
PLAIN_TEXT = r"""
CREATE OR REPLACE FUNCTION plain_text(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT CASE WHEN octet_length($1) = length($1) THEN translate(lower($1), '''`', '') ELSE
        replace(replace(replace(replace(translate(
            lower(regexp_replace(normalize($1, NFD), '[\u0300-\u036f\u0591-\u05c7\u064b-\u065f]', '', 'g')),
            'øđðłıς''’‘ʼ`´', 'oddliσ'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') END
$$
"""


class Migration(migrations.Migration):
    dependencies = [("web", "0005_messages_to_phones")]

    operations = [migrations.RunSQL(PLAIN_TEXT, "DROP FUNCTION plain_text(text)")]
