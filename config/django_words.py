"""Words of Django and django-axes that staff read in the admin, which `locale/` translates in their place.

Their own translations agree with no noun of ours ("Añadir otro partida"), are awkward, or lack the word. A message of
`locale/` wins over one of a package; whoever finds another one adds it here.
"""

from django.utils.translation import gettext_noop as _

WORDS = (
    # With a noun, whose gender and article no translation knows.
    _("Add %s"), _("Change %s"), _("View %s"), _("Add another %(verbose_name)s"), _("Add another %(model)s"),
    _("Change selected %(model)s"), _("Delete selected %(model)s"), _("View selected %(model)s"),
    _("Delete selected %(verbose_name_plural)s"), _("Select all %(total_count)s %(module_name)s"),
    _("Successfully deleted %(count)d %(items)s."), _("The %(name)s “%(obj)s” was deleted successfully."),
    _("The {name} “{obj}” was added successfully."), _("The {name} “{obj}” was changed successfully."),
    _("The {name} “{obj}” was added successfully. You may add another {name} below."),
    _("The {name} “{obj}” was changed successfully. You may edit it again below."),
    _("The {name} “{obj}” was changed successfully. You may add another {name} below."),
    _('Are you sure you want to delete the %(object_name)s "%(escaped_object)s"? All of the following related items '
      "will be deleted:"),
    _("Are you sure you want to delete the selected %(objects_name)s? All of the following objects and their related "
      "items will be deleted:"),
    # Awkward.
    _("Breadcrumbs"), _("History"), _("Change history: %s"), _("No, take me back"), _("Yes, I’m sure"),
    _("staff status"),
    # With a capital in Italian.
    _("January"), _("February"), _("March"), _("April"), _("May"), _("June"), _("July"), _("August"), _("September"),
    _("October"), _("November"), _("December"), _("Monday"), _("Tuesday"), _("Wednesday"), _("Thursday"), _("Friday"),
    _("Saturday"), _("Sunday"),
    # Not translated to all of staff's languages.
    _("Model name"), _("Add link"), _("Change or view list link"),
    _("Error:"), _("Set password"), _("Set password: %s"), _("Reset password"), _("Enabled"), _("Disabled"),
    _("Password-based authentication"), _("Password-based authentication was disabled."),
    _("Enable password-based authentication"), _("Disable password-based authentication"),
    _("Enable password-based authentication for this user by setting a password."),
    _("This action will <strong>enable</strong> password-based authentication for this user."),
    _("Whether the user will be able to authenticate using a password or not. If disabled, they may still be able to "
      "authenticate using other backends, such as Single Sign-On or LDAP."),
    _("Raw passwords are not stored, so there is no way to see the user’s password."),
    _("access attempt"), _("access attempts"), _("access log"), _("access logs"), _("Attempt Time"), _("Failed Logins"),
    _("IP Address"), _("Logout Time"), _("Path"), _("User Agent"), _("Username"),
    _("Clean up expired attempts"),
)  # fmt: skip
