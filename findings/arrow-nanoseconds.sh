#!/bin/sh
# Version: arrow 1.4.0, pendulum 3.3.0 and python-dateutil 2.9.0.post0 (PyPI), Python 3.11 or later
# Guessed: an instant with nanoseconds, as container engines and Kubernetes write it, becomes the microsecond that it lies in: later
# digits are left out.
# Really: arrow rounds to the nearest microsecond, up to the next day or year. A container that ended in the last
# nanoseconds of a month is counted in the next one, and a line of a log comes after one that was written later:
#   stdlib: 2026-12-31T23:59:59.999999+00:00
#   dateutil: 2026-12-31T23:59:59.999999+00:00
#   pendulum: 2026-12-31T23:59:59.999999+00:00
#   arrow: 2027-01-01T00:00:00+00:00
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check arrow==1.4.0 pendulum==3.3.0 python-dateutil==2.9.0.post0 >&2
cat > read.py <<'END'
from datetime import datetime
import arrow, dateutil.parser, pendulum

INSTANT = "2026-12-31T23:59:59.999999999Z"

print("stdlib:", datetime.fromisoformat(INSTANT).isoformat())
print("dateutil:", dateutil.parser.isoparse(INSTANT).isoformat())
print("pendulum:", pendulum.parse(INSTANT).isoformat())
print("arrow:", arrow.get(INSTANT).isoformat())
END
environment/bin/python read.py | tee output
cat > expected <<'END'
stdlib: 2026-12-31T23:59:59.999999+00:00
dateutil: 2026-12-31T23:59:59.999999+00:00
pendulum: 2026-12-31T23:59:59.999999+00:00
arrow: 2027-01-01T00:00:00+00:00
END
cmp output expected
