#!/bin/sh
# Version: node-ical 0.26.1 and ical.js 2.2.1 (npm), Node 20 or later; golang-ical 0.3.4 (Go 1.24 or later)
# Guessed: `\,` is a comma of a text to each reader of calendars; only a bare comma separates the categories of an event
# (RFC 5545, 3.8.1.2 and 3.3.11).
# Really: node-ical cuts at the escaped comma and leaves the backslash, and golang-ical removes the escape from the whole
# list, after which no program can tell the two commas apart. A filter by category, such as by a GPU type, finds nothing:
#   ical.js: "A100, 80 GB" "night"
#   node-ical: "A100\\" "80 GB" "night"
#   golang-ical: "A100, 80 GB,night"
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node-ical@0.26.1 ical.js@2.2.1 >&2
cat > main.go <<'END'
package main

import (
	"fmt"
	"os"

	ics "github.com/arran4/golang-ical"
)

func main() {
	calendar, err := ics.ParseCalendar(os.Stdin)
	if err != nil {
		panic(err)
	}
	categories := calendar.Events()[0].GetProperty(ics.ComponentPropertyCategories)
	fmt.Printf("golang-ical: %q\n", categories.Value)
}
END
go mod init example >/dev/null 2>&1
go get github.com/arran4/golang-ical@v0.3.4 >/dev/null 2>&1
cat > read.cjs <<'END'
const nodeIcal = require("node-ical");
const ical = require("ical.js");

const feed = require("node:fs").readFileSync(0, "utf8");
const show = (name, texts) => console.log(`${name}:`, ...texts.map((text) => JSON.stringify(text)));
const { Component, parse } = ical.default ?? ical;
const component = new Component(parse(feed)).getFirstSubcomponent("vevent");
show("ical.js", component.getFirstProperty("categories").getValues());
const [event] = Object.values(nodeIcal.sync.parseICS(feed)).filter(({ type }) => type === "VEVENT");
show("node-ical", event.categories);
END
printf '%s\r\n' BEGIN:VCALENDAR VERSION:2.0 PRODID:-//example//example//EN BEGIN:VEVENT UID:1 DTSTAMP:20270101T000000Z \
  DTSTART:20270102T100000Z DTEND:20270102T110000Z 'CATEGORIES:A100\, 80 GB,night' END:VEVENT END:VCALENDAR > feed.ics
{ node read.cjs < feed.ics; go run main.go < feed.ics; } | tee output
cat > expected <<'END'
ical.js: "A100, 80 GB" "night"
node-ical: "A100\\" "80 GB" "night"
golang-ical: "A100, 80 GB,night"
END
cmp output expected
