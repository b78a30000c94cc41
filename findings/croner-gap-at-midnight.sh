#!/bin/sh
# Version: croner 11.0.1 (npm), Node 20 or later
# Guessed: a time that does not exist because the clocks go forward runs at the end of the gap, wherever the gap lies.
# Really: a gap that ends at midnight drops the run. `30 23 * * *` in America/Scoresbysund, where 23:00 to 24:00 does not
# exist on 2027-03-27, has no run for that day; `30 0 * * *` in America/Santiago, whose gap of 2027-09-05 begins at
# midnight, runs at its end:
#   America/Scoresbysund 2027-03-27T01:30:00.000Z 2027-03-29T00:30:00.000Z
#   America/Santiago 2027-09-04T04:30:00.000Z 2027-09-05T04:00:00.000Z
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit croner@11.0.1 >&2
cat > runs.mjs <<'END'
import { Cron } from "croner";
for (const [expression, timezone, from] of [
  ["30 23 * * *", "America/Scoresbysund", "2027-03-26T12:00Z"],
  ["30 0 * * *", "America/Santiago", "2027-09-03T12:00Z"],
]) {
  const cron = new Cron(expression, { timezone, paused: true, fixedTimeRule: "no-wildcard" });
  const runs = cron.nextRuns(2, new Date(from)).map((at) => at.toISOString());
  console.log(timezone, ...runs);
}
END
node runs.mjs | tee output
cat > expected <<'END'
America/Scoresbysund 2027-03-27T01:30:00.000Z 2027-03-29T00:30:00.000Z
America/Santiago 2027-09-04T04:30:00.000Z 2027-09-05T04:00:00.000Z
END
cmp output expected
