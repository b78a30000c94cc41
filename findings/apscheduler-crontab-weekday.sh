#!/bin/sh
# Version: APScheduler 3.11.3 and croniter 7.0.0 (PyPI), Python 3.10 or later
# Guessed: `CronTrigger.from_crontab` runs an expression when cron runs it, where 1 is Monday and 0 and 7 are Sunday, as its
# documentation calls it a standard crontab expression.
# Really: it gives the number to APScheduler's own field, whose 0 is Monday: each number is a day late, and 7 is refused.
# Names of days are right:
#   0 3 * * 1: croniter Monday, APScheduler Tuesday
#   0 3 * * 0: croniter Sunday, APScheduler Monday
#   0 3 * * 7: croniter Sunday, APScheduler ValueError
#   0 3 * * mon: croniter Monday, APScheduler Monday
# It matters for a job that stops machines on Friday evening: write `fri`.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check apscheduler==3.11.3 croniter==7.0.0 >&2
cat > next.py <<'END'
from datetime import datetime, timezone
from apscheduler.triggers.cron import CronTrigger
from croniter import croniter

START = datetime(2026, 11, 28, tzinfo=timezone.utc)

def with_croniter(expression):
    return croniter(expression, START).get_next(datetime)

def with_apscheduler(expression):
    return CronTrigger.from_crontab(expression, timezone="UTC").get_next_fire_time(None, START)

def day(next_run, expression):
    try:
        return f"{next_run(expression):%A}"
    except ValueError as error:
        return type(error).__name__

for expression in ["0 3 * * 1", "0 3 * * 0", "0 3 * * 7", "0 3 * * mon"]:
    print(f"{expression}: croniter {day(with_croniter, expression)}, APScheduler {day(with_apscheduler, expression)}")
END
environment/bin/python next.py | tee output
cat > expected <<'END'
0 3 * * 1: croniter Monday, APScheduler Tuesday
0 3 * * 0: croniter Sunday, APScheduler Monday
0 3 * * 7: croniter Sunday, APScheduler ValueError
0 3 * * mon: croniter Monday, APScheduler Monday
END
cmp output expected
