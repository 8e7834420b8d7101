"""The composition root: settings, URLs, servers, and the connections between apps. No app imports it."""
