#!/bin/sh
# Version: robfig/cron 3.0.1 (the parser of Kubernetes' CronJobs) and gronx 1.20.4 (Go 1.24 or later)
# Guessed: the weekday 7 is Sunday to each reader of crontabs that has numbers for weekdays from 0 on Sunday, as in Debian's cron,
# cronie and BSD's.
# Really: robfig/cron refuses it, alone and at the end of a range, so that "Friday to Sunday" takes a list with a 0. gronx, its
# peer in the same language, takes each of them:
#   0 6 * * 7: robfig refused, gronx 2027-03-07
#   0 6 * * 5-7: robfig refused, gronx 2027-03-05
#   0 6 * * 0: robfig 2027-03-07, gronx 2027-03-07
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > main.go <<'END'
package main

import (
	"fmt"
	"time"

	"github.com/adhocore/gronx"
	"github.com/robfig/cron/v3"
)

func main() {
	start := time.Date(2027, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, expression := range []string{"0 6 * * 7", "0 6 * * 5-7", "0 6 * * 0"} {
		fmt.Printf("%s: robfig ", expression)
		if schedule, err := cron.ParseStandard(expression); err != nil {
			fmt.Print("refused")
		} else {
			fmt.Print(schedule.Next(start).Format(time.DateOnly))
		}
		next, err := gronx.NextTickAfter(expression, start, false)
		if err != nil {
			panic(err)
		}
		fmt.Printf(", gronx %s\n", next.Format(time.DateOnly))
	}
}
END
go mod init example >/dev/null 2>&1
go get github.com/robfig/cron/v3@v3.0.1 github.com/adhocore/gronx@v1.20.4 >/dev/null 2>&1
go run main.go | tee output
cat > expected <<'END'
0 6 * * 7: robfig refused, gronx 2027-03-07
0 6 * * 5-7: robfig refused, gronx 2027-03-05
0 6 * * 0: robfig 2027-03-07, gronx 2027-03-07
END
cmp output expected
