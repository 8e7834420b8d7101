"""The composition root: settings, URLs, servers, and what joins the apps. No app imports it."""
