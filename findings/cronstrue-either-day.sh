#!/bin/sh
# Version: cronstrue 3.39.0 and croner 11.0.1 (npm), Node 20 or later
# Guessed: the words of an expression say when it runs.
# Really: cronstrue joins a day of the month and a weekday by "and", where cron (and croner, as POSIX has it) runs on either;
# and it calls a step that does not divide its field "every 40 minutes", where runs are 40 and 20 minutes apart:
#   0 12 1-7 * 1: At 12:00 PM, between day 1 and 7 of the month, and on Monday
#     runs on 2026-11-30 2026-12-01 2026-12-02
#   */40 * * * *: Every 40 minutes
#     runs at 00:40 01:00 01:40
# It matters if you show such words to people: write "or" for "and", and list the values of such steps.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit cronstrue@3.39.0 croner@11.0.1 >&2
cat > words.mjs <<'END'
import cronstrue from "cronstrue";
import { Cron } from "croner";

const runs = (expression) =>
  new Cron(expression, { timezone: "UTC", paused: true })
    .nextRuns(3, new Date("2026-11-29T00:00Z"))
    .map((run) => run.toISOString());
const days = "0 12 1-7 * 1";
console.log(`${days}: ${cronstrue.toString(days)}`);
console.log("  runs on", ...runs(days).map((run) => run.slice(0, 10)));
const step = "*/40 * * * *";
console.log(`${step}: ${cronstrue.toString(step)}`);
console.log("  runs at", ...runs(step).map((run) => run.slice(11, 16)));
END
node words.mjs | tee output
cat > expected <<'END'
0 12 1-7 * 1: At 12:00 PM, between day 1 and 7 of the month, and on Monday
  runs on 2026-11-30 2026-12-01 2026-12-02
*/40 * * * *: Every 40 minutes
  runs at 00:40 01:00 01:40
END
cmp output expected
