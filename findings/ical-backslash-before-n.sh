#!/bin/sh
# Version: node-ical 0.26.1 and ical.js 2.2.1 (npm), Node 20 or later; ics 0.7.3 and icalendar 7.3.2 (PyPI), Python 3.10 or later
# Guessed: a calendar's text with a backslash before an n, written `\\n` (RFC 5545, 3.3.11), is a backslash and an n to each
# reader.
# Really: node-ical and ics replace the escapes one after another and find a `\n` in what is left, so that a path or a
# command in the note of an event breaks at each folder that begins with an n. The other two of the same languages read it:
#   node-ical: "C:\\\new\\data"
#   ical.js: "C:\\new\\data"
#   ics: "C:\\\new\\data"
#   icalendar: "C:\\new\\data"
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node-ical@0.26.1 ical.js@2.2.1 >&2
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check ics==0.7.3 icalendar==7.3.2 >&2
cat > read.py <<'END'
import json, subprocess
import ics, icalendar

LINES = [
    "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//example//example//EN", "BEGIN:VEVENT", "UID:1", "DTSTAMP:20270101T000000Z",
    "DTSTART:20270102T100000Z", "DTEND:20270102T110000Z", r"DESCRIPTION:C:\\new\\data", "END:VEVENT", "END:VCALENDAR",
]
feed = "".join(f"{line}\r\n" for line in LINES)
subprocess.run(["node", "read.cjs"], input=feed, text=True, check=True)
print("ics:", json.dumps(next(iter(ics.Calendar(feed).events)).description))
print("icalendar:", json.dumps(str(icalendar.Calendar.from_ical(feed).walk("VEVENT")[0]["DESCRIPTION"])))
END
cat > read.cjs <<'END'
const nodeIcal = require("node-ical");
const ical = require("ical.js");

const feed = require("node:fs").readFileSync(0, "utf8");
const [event] = Object.values(nodeIcal.sync.parseICS(feed)).filter(({ type }) => type === "VEVENT");
console.log("node-ical:", JSON.stringify(event.description));
const { Component, Event, parse } = ical.default ?? ical;
const component = new Component(parse(feed)).getFirstSubcomponent("vevent");
console.log("ical.js:", JSON.stringify(new Event(component).description));
END
environment/bin/python read.py | tee output
cat > expected <<'END'
node-ical: "C:\\\new\\data"
ical.js: "C:\\new\\data"
ics: "C:\\\new\\data"
icalendar: "C:\\new\\data"
END
cmp output expected
