"""The project's servers with the tests' settings: `python -m tests.run_server sockets --port N`."""

import os

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
os.environ["TESTED_SERVER"] = "yes"  # its database and address were given to it on purpose

from config.serving.servers import main

if __name__ == "__main__":
    main()
