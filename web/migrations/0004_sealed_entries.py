from django.db import migrations, models

# Sealing sets number and hash, once; a device's signature is added once. Nothing else ever changes an entry.
FINAL = """
CREATE FUNCTION web_journal_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        IF OLD.number IS NULL AND to_jsonb(NEW) - '{number,hash}'::text[] = to_jsonb(OLD) - '{number,hash}'::text[] THEN
            RETURN NEW;
        END IF;
        IF OLD.number IS NOT NULL AND OLD.signature = '' AND to_jsonb(NEW) - 'signature' = to_jsonb(OLD) - 'signature' THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION 'Entry % of the journal cannot be changed or deleted.', OLD.id USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER web_journal_is_final BEFORE UPDATE OR DELETE ON web_journalentry
    FOR EACH ROW EXECUTE FUNCTION web_journal_is_final();
"""


class Migration(migrations.Migration):
    dependencies = [("web", "0003_journal")]

    operations = [
        migrations.AddIndex("journalentry", models.Index(fields=["at"], name="journal_by_time")),
        migrations.AddIndex(
            "journalentry",
            models.Index(fields=["number"], condition=~models.Q(signature=""), name="journal_signed"),
        ),
        migrations.RunSQL(FINAL, "DROP FUNCTION web_journal_is_final() CASCADE"),
    ]
