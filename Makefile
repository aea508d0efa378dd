# `make` alone lists the targets. Two matter to a newcomer: `make demo` and `make test`.
VENV ?= .venv
ARGS ?=
# Two files of tests at a time, each process with a Spark of its own.
PYTEST = "$(VENV)/bin/python" -m pytest -n 2 --dist loadfile --no-loadscope-reorder
export VENV PYTHON

.DEFAULT_GOAL := help
.PHONY: help demo test check unit browser lint format soak homes thrift bench site lock audit clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## /{printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: ## flights of January and February 2013, landed, aggregated and shown (ARGS=--year: all of 2013)
	@scripts/setup.sh install
	@"$(VENV)/bin/strandline" demo $(ARGS)

test: lint ## the linters, the tests without Spark, the first ones on Spark (ARGS="-k name" for some)
	@$(PYTEST) -m "not soak and not browser and not check" $(ARGS)

check: ## the other tests on Spark, those that are not for soak
	@scripts/setup.sh dev
	@$(PYTEST) -m "check and not soak and not browser" $(ARGS)

unit: ## the unit tests, without Spark (a minute)
	@scripts/setup.sh dev
	@$(PYTEST) tests/unit -m "not soak" $(ARGS)

browser: ## the report in a real browser: Debian's Chromium, installed if it is missing
	@scripts/setup.sh dev
	@scripts/browser.sh
	@"$(VENV)/bin/python" -m pytest tests/browser $(ARGS)

lint: ## ruff, mypy, structure of the macros, dbt's own parser strictly, rendered SQL, sqlfluff
	@scripts/setup.sh dev
	@scripts/lint.sh

format: ## let ruff put the Python in order
	@scripts/setup.sh dev
	@"$(VENV)/bin/ruff" check --fix --quiet . && "$(VENV)/bin/ruff" format --quiet .

soak: ## histories of many seeds, mutation and crash tests, the demo twice (hours; PART=engine/windows)
	@scripts/setup.sh dev
	@STRANDLINE_SEEDS=10 $(PYTEST) $(if $(PART),$(addprefix tests/,$(PART)),tests/engine tests/e2e tests/kafka) $(ARGS)

homes: ## the tests with each Spark; ARGS="--spark 4.1 --java 21" names one (--help has more)
	@scripts/setup.sh dev
	@"$(VENV)/bin/python" -m scripts.homes $(ARGS)

thrift: ## the demo's SQL models through a Spark Thrift server on loopback
	@scripts/setup.sh dev
	@"$(VENV)/bin/python" -m scripts.thrift_build

bench: ## every benchmark beside its peers, 80 minutes (ARGS="--quick": 10 to 15; see --help)
	@scripts/setup.sh dev
	@"$(VENV)/bin/python" -m bench $(ARGS)

site: ## the documentation as a site with search, in target/site
	@scripts/site.sh

lock: ## make the lock files in requirements/ again from the .in files
	@scripts/lock.sh

audit: ## known vulnerabilities of the locked packages, as their registry lists them
	@scripts/setup.sh install
	@"$(VENV)/bin/python" scripts/audit.py requirements/*.txt

clean: ## remove the environment, the demo's data and everything built
	rm -rf "$(VENV)" .strandline .strandline-year target logs dbt_packages build dist
	rm -rf .pytest_cache .ruff_cache .mypy_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
