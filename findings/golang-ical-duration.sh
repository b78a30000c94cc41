#!/bin/sh
# Version: golang-ical 0.3.4 (Go 1.24 or later); ical.js 2.2.1 (npm), Node 20 or later
# Guessed: the end of an event is at hand to each reader of calendars, whether the feed has DTEND or DURATION (RFC 5545, 3.6.1:
# one of the two).
# Really: golang-ical's GetEndAt reads DTEND alone and gives an error for an event with a duration, which many calendars
# write for reservations of a length:
#   ical.js: 2027-01-02T11:30:00Z 2027-01-02T11:30:00Z
#   golang-ical: 2027-01-02T11:30:00Z error
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit ical.js@2.2.1 >&2
cat > main.go <<'END'
package main

import (
	"fmt"
	"os"
	"time"

	ics "github.com/arran4/golang-ical"
)

func main() {
	calendar, err := ics.ParseCalendar(os.Stdin)
	if err != nil {
		panic(err)
	}
	fmt.Print("golang-ical:")
	for _, event := range calendar.Events() {
		if end, err := event.GetEndAt(); err != nil {
			fmt.Print(" error")
		} else {
			fmt.Print(" ", end.Format(time.RFC3339))
		}
	}
	fmt.Println()
}
END
go mod init example >/dev/null 2>&1
go get github.com/arran4/golang-ical@v0.3.4 >/dev/null 2>&1
cat > read.mjs <<'END'
import { readFileSync } from "node:fs";
import ICAL from "ical.js";

const calendar = new ICAL.Component(ICAL.parse(readFileSync(0, "utf8")));
console.log("ical.js:", ...calendar.getAllSubcomponents("vevent").map((event) => String(new ICAL.Event(event).endDate)));
END
printf '%s\r\n' BEGIN:VCALENDAR VERSION:2.0 PRODID:-//example//example//EN \
  BEGIN:VEVENT UID:1 DTSTAMP:20270101T000000Z DTSTART:20270102T100000Z DTEND:20270102T113000Z END:VEVENT \
  BEGIN:VEVENT UID:2 DTSTAMP:20270101T000000Z DTSTART:20270102T100000Z DURATION:PT1H30M END:VEVENT END:VCALENDAR > feed.ics
{ node read.mjs < feed.ics; go run main.go < feed.ics; } | tee output
cat > expected <<'END'
ical.js: 2027-01-02T11:30:00Z 2027-01-02T11:30:00Z
golang-ical: 2027-01-02T11:30:00Z error
END
cmp output expected
