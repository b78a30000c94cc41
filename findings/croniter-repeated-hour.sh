#!/bin/sh
# Version: croniter 7.0.0 and cronsim 2.8 (PyPI), Python 3.10 or later; robfig/cron 3.0.1 and gronx 1.20.4 (Go 1.24 or later)
# Guessed: where the clocks go back, a time of the day runs once, as Debian's cron and cronie have it, and an hourly job each
# hour.
# Really: two libraries run a daily job of the repeated hour twice, one a language, and gronx lets an hourly job rest for
# two hours. Runs of 7 November 2027 in New York between 4:45 and 8:15 UTC:
#   30 1 * * *: croniter 05:30 06:30
#   30 1 * * *: cronsim 05:30
#   30 1 * * *: robfig 05:30 06:30
#   30 1 * * *: gronx 05:30
#   30 * * * *: croniter 05:30 06:30 07:30
#   30 * * * *: cronsim 05:30 06:30 07:30
#   30 * * * *: robfig 05:30 06:30 07:30
#   30 * * * *: gronx 05:30 07:30
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check croniter==7.0.0 cronsim==2.8 tzdata==2026.6 >&2
cat > runs.py <<'END'
import sys
from datetime import datetime, timezone
from zoneinfo import ZoneInfo
from cronsim import CronSim
from croniter import croniter

zone = ZoneInfo("America/New_York")
start = datetime(2027, 11, 7, 0, 45, tzinfo=zone)
end = datetime(2027, 11, 7, 8, 15, tzinfo=timezone.utc)

def show(name, expression, runs):
    times = []
    for run in runs:
        if run.timestamp() > end.timestamp():
            break
        times.append(run.astimezone(timezone.utc).strftime("%H:%M"))
    print(f"{expression}: {name}", *times)

for expression in sys.argv[1:]:
    show("croniter", expression, croniter(expression, start, ret_type=datetime))
    show("cronsim", expression, CronSim(expression, start))
END
cat > main.go <<'END'
package main

import (
	"fmt"
	"os"
	"time"
	_ "time/tzdata"

	"github.com/adhocore/gronx"
	"github.com/robfig/cron/v3"
)

func main() {
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		panic(err)
	}
	start := time.Date(2027, 11, 7, 4, 45, 0, 0, time.UTC).In(zone)
	end := time.Date(2027, 11, 7, 8, 15, 0, 0, time.UTC)
	show := func(name string, expression string, next func(time.Time) time.Time) {
		fmt.Printf("%s: %s", expression, name)
		for run := next(start); run.Before(end); run = next(run) {
			fmt.Print(" ", run.UTC().Format("15:04"))
		}
		fmt.Println()
	}
	for _, expression := range os.Args[1:] {
		schedule, err := cron.ParseStandard(expression)
		if err != nil {
			panic(err)
		}
		show("robfig", expression, schedule.Next)
		show("gronx", expression, func(after time.Time) time.Time {
			next, err := gronx.NextTickAfter(expression, after, false)
			if err != nil {
				panic(err)
			}
			return next
		})
	}
}
END
go mod init example >/dev/null 2>&1
go get github.com/robfig/cron/v3@v3.0.1 github.com/adhocore/gronx@v1.20.4 >/dev/null 2>&1
{ environment/bin/python runs.py "30 1 * * *" "30 * * * *"; go run main.go "30 1 * * *" "30 * * * *"; } | sort -s -t: -k1,1r > output
cat output
cat > expected <<'END'
30 1 * * *: croniter 05:30 06:30
30 1 * * *: cronsim 05:30
30 1 * * *: robfig 05:30 06:30
30 1 * * *: gronx 05:30
30 * * * *: croniter 05:30 06:30 07:30
30 * * * *: cronsim 05:30 06:30 07:30
30 * * * *: robfig 05:30 06:30 07:30
30 * * * *: gronx 05:30 07:30
END
cmp output expected
