# make run   the restaurant, with everything it needs; HOST=0.0.0.0 lets phones in, PORT=8001 KITCHEN_PORT=8081 moves it
# make test  every check, and every test for a change
# make fast  a minute of tests: rules, services and endpoints, without pages, the admin and reports
# make sweep  what is exhaustive and takes long: 30 minutes at most; STEPS="faults checks" only these
# make messages  the catalogues in locale/ as the words in code and templates are now
# make weight  how much there is of everything: lines, files, functions, classes
# make mutants  COUNT=150 small mistakes in the code, and which of them a test notices; SEED=37
# make fmt   format the code and fix what the linter can fix
# make deploy-check  what deploy/ ships, with real proxies
# make bench every benchmark, and a table of their figures
# make screenshots  every page at three widths, light and dark, into var/screenshots; PAGES="menu card" only these
#            then PAGES=--accept: so they should be; after a change, taken again, PAGES=--compare: which differ
# make readme-pictures  those of the README, into static/img
# make fuzz  generated requests to every endpoint: CASES=100000 in at most MINUTES=60
# make faults  every fault on real processes under load, and a table of what was lost (nothing) and when it was back

PYTHON ?= python3
HOST ?= 127.0.0.1
PORT ?= 8000
KITCHEN_PORT ?= 8080
WORKERS ?= 1
# More than processors: half of the browser's and the servers' tests is waiting.
TEST_PROCESSES ?= 3
CASES ?= 100000
MINUTES ?= 60
COUNT ?= 150
SEED ?= 37
NO_BROWSER := --ignore=tests/browser

VENV := .venv
BIN := $(VENV)/bin
# What is imported is compiled then: of all that is installed that is the smaller part.
PIP := $(BIN)/python -m pip install --no-compile --quiet --disable-pip-version-check

.PHONY: run test pytest fast sweep mutants messages weight check chromium fmt bench fuzz faults screenshots readme-pictures deploy-check
.DELETE_ON_ERROR:

run: $(VENV)/.installed
	@$(BIN)/python manage.py serve --demo --host $(HOST) --port $(PORT) --kitchen-port $(KITCHEN_PORT) --workers $(WORKERS)

# Checks take one processor, and the tests begin on the others meanwhile.
test: chromium
	@$(MAKE) --no-print-directory --jobs 2 check pytest

pytest: $(VENV)/.test-installed
	@env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m pytest -n $(TEST_PROCESSES)

fast: $(VENV)/.test-installed
	@env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m pytest -n logical $(NO_BROWSER) -m "not browser and not race and not slow" \
	  -k "not admin and not report and not page and not javascript"

sweep: chromium
	@TEST_PROCESSES=$(TEST_PROCESSES) $(BIN)/python -m tests.sweep $(STEPS)

mutants: $(VENV)/.test-installed
	@mkdir -p var/mutants
	@COVERAGE_FILE=var/mutants/coverage $(BIN)/python -m pytest -n logical $(NO_BROWSER) -m "not browser and not race" \
	  --cov-context=test --cov-report= \
	  --cov=config --cov=loyalty --cov=qrservice --cov=restaurant --cov=web
	@$(BIN)/python -m tests.mutants --data var/mutants/coverage --count $(COUNT) --seed $(SEED)

messages: $(VENV)/.installed
	@$(BIN)/python manage.py messages

weight:
	@$(PYTHON) -m tests.weight

check: $(VENV)/.test-installed
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/mypy .
	@$(BIN)/lint-imports --no-cache --no-logo
	@$(BIN)/python manage.py messages --check

fmt: $(VENV)/.test-installed
	@$(BIN)/ruff check --fix --quiet .
	@$(BIN)/ruff format --quiet .

bench: chromium
	@$(BIN)/python -m tests.benchmarks

screenshots: $(VENV)/.test-installed
	@$(BIN)/python -m tests.screenshots $(PAGES)

readme-pictures: $(VENV)/.test-installed
	@$(BIN)/python -m tests.screenshots --readme

fuzz: $(VENV)/.test-installed
	@$(BIN)/python -m tests.fuzz --cases $(CASES) --minutes $(MINUTES)

DEPLOY_PROGRAMS := nginx caddy openssl systemd-analyze

# Installed where that starts no service: as root in a container of Debian. Elsewhere it is left to you.
deploy-check: $(VENV)/.test-installed
	@missing() { PATH=$$PATH:/usr/sbin; for each in $(DEPLOY_PROGRAMS); do command -v $$each >/dev/null || echo $$each; done; }; \
	  if [ -n "$$(missing)" ] && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && [ ! -d /run/systemd/system ]; then \
	    echo "Installing nginx, Caddy, openssl and systemd's programs"; \
	    apt-get update -qq >/dev/null; \
	    RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -y -qq nginx caddy openssl systemd >/dev/null; \
	  fi; \
	  [ -z "$$(missing)" ] || { echo "Please install what provides these, and stop its services:" $$(missing); exit 1; }
	@$(BIN)/python -m pytest tests/deploy/check_*.py

faults: $(VENV)/.test-installed
	@PATH=$$PATH:/usr/sbin; command -v pgbouncer >/dev/null || { \
	  [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && [ ! -d /run/systemd/system ] \
	  && echo "Installing PgBouncer" && apt-get update -qq >/dev/null \
	  && RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -y -qq pgbouncer >/dev/null; \
	} || { echo "Please install PgBouncer, and stop its service"; exit 1; }
	@$(BIN)/python -m tests.faults
	@$(BIN)/python -m pytest tests/faults/check_*.py

# A browser for the tests: Debian's, installed here if that is possible. Otherwise the test run says what it left out.
# Its headless shell is a package of its own, and much faster; Debian did not always have it.
chromium: $(VENV)/.test-installed
	@command -v chromium-headless-shell >/dev/null || { \
	  [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	  && echo "Installing Chromium for the browser tests" \
	  && apt-get update -qq >/dev/null && export DEBIAN_FRONTEND=noninteractive \
	  && { apt-get install -y -qq chromium-headless-shell >/dev/null 2>&1 || apt-get install -y -qq chromium >/dev/null; }; } || true

$(VENV)/.installed: requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed: make PYTHON=python3.12 ..."; exit 1; }
	@echo "Installing into $(VENV) (once)"
	@$(PYTHON) -m venv $(VENV) || { echo "Python's venv module is missing: on Debian, apt install python3-venv"; exit 1; }
	@$(PIP) -r requirements.txt
	@touch $@

$(VENV)/.test-installed: tests/requirements.txt $(VENV)/.installed
	@$(PIP) -r tests/requirements.txt
	@touch $@
