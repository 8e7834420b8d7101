"""The project's servers with the tests' settings: `python -m tests.run_server sockets --port N`."""

import os

os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
os.environ.update(DEBUG="false", SECRET_KEY="for-tests-alone", ALLOWED_HOSTS="testserver,localhost,127.0.0.1")

from config.servers import main

if __name__ == "__main__":
    main()
