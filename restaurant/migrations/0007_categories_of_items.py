from django.db import migrations


def add_categories(apps, schema_editor):
    """A row for every category that items name."""
    names = {name or "Other" for name in apps.get_model("restaurant", "MenuItem").objects.values_list("category", flat=True)}
    category = apps.get_model("restaurant", "Category")
    category.objects.bulk_create([category(name=name) for name in sorted(names)], ignore_conflicts=True)


class Migration(migrations.Migration):

    dependencies = [("restaurant", "0006_a_real_menu")]

    operations = [migrations.RunPython(add_categories, migrations.RunPython.noop)]
