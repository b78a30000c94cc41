#!/bin/sh
# Version: prometheus-client 0.26.0 (PyPI), Python 3.10 or later
# Guessed: the parser of the text format gives each sample the name that its line has. The format asks no suffix of a counter;
# only OpenMetrics, which has a parser of its own, does.
# Really: a sample of a counter gets the suffix "_total" where its line has none. A test that looks for a name that it reads on
# the page finds nothing, and a relay that parses and writes again serves the counter under another name than its source:
#   parsed: container_restarts_total
#   relayed: container_restarts_total{pod="a"} 3.0
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check prometheus-client==0.26.0 >&2
cat > relay.py <<'END'
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.parser import text_string_to_metric_families

page = """# TYPE container_restarts counter
container_restarts{pod="a"} 3
"""

class Relay:
    def collect(self):
        return text_string_to_metric_families(page)

for family in text_string_to_metric_families(page):
    print("parsed:", *(sample.name for sample in family.samples))
registry = CollectorRegistry()
registry.register(Relay())
lines = generate_latest(registry).decode().splitlines()
print("relayed:", *(line for line in lines if not line.startswith("#")))
END
environment/bin/python relay.py | tee output
cat > expected <<'END'
parsed: container_restarts_total
relayed: container_restarts_total{pod="a"} 3.0
END
cmp output expected
