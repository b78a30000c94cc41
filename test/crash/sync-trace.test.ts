// Tests of the trace reader itself: it must detect an early acknowledgement.

import assert from "node:assert/strict";
import { test } from "node:test";
import { parseTrace, shownUnsynced, unsynced } from "./sync-trace.ts";

const request = '7 read(26<socket:[9]>, "POST /run\\r\\n\\r\\n{\\"tok\\"}", 65536) = 20';
const write = '7 pwrite64(23</d/freehold.db-wal>, "\\r\\0tok\\0", 4096, 32) = 4096';
const sync = "7 fdatasync(23</d/freehold.db-wal>) = 0";
const reply = '7 write(26<socket:[9]>, "HTTP/1.1 200 OK\\r\\n\\r\\n{}", 23) = 23';
const half = [
  "7 fdatasync(23</d/freehold.db-wal> <unfinished ...>",
  '8 write(9<pipe:[1]>, "x", 1) = 1',
  "7 <... fdatasync resumed>) = 0",
];
const other = '7 pwrite64(23</d/freehold.db-wal>, "other", 5, 32) = 5';
const elsewhere = "7 fsync(22</d/freehold.db>) = 0";
const failed = "7 fdatasync(23</d/freehold.db-wal>) = -1 EIO (Input/output error)";
const strange = '7 write(27<socket:[10]>, "HTTP/1.1 200 OK\\r\\n\\r\\n{}", 23) = 23';

const rows: [name: string, lines: string[], verdict: RegExp | null][] = [
  ["written, synced, answered", [request, write, sync, reply], null],
  ["a sync that another thread's calls interrupt", [request, write, ...half, reply], null],
  ["answers to others in between", [request, write, strange, sync, reply], null],
  ["answered before the sync", [request, write, reply, sync], /before the disk was synced/],
  ["answered while the sync ran", [request, write, half[0]!, reply, half[2]!], /before the disk/],
  ["synced before the write", [request, sync, write, reply], /before the disk was synced/],
  ["another file was synced", [request, write, elsewhere, reply], /before the disk was synced/],
  ["the sync failed", [request, write, failed, reply], /before the disk was synced/],
  ["only something else was written", [request, other, sync, reply], /before it was written/],
  ["written before it was asked", [write, sync, request, sync, reply], /before it was written/],
  ["no such request", [write, sync, reply], /no such request/],
];

for (const [name, lines, verdict] of rows) {
  test(name, () => {
    const said = unsynced(parseTrace(lines.join("\n")), "request", "tok");
    if (verdict === null) assert.equal(said, null);
    else assert.match(said ?? "nothing wrong", verdict);
  });
}

const shown = '7 write(27<socket:[10]>, "HTTP/1.1 200 OK\\r\\n\\r\\n{\\"tok\\"}", 29) = 29';
const readings: [name: string, lines: string[], verdict: RegExp | null][] = [
  ["shown after the sync", [write, sync, shown], null],
  ["shown before the sync", [write, shown, sync], /shown before its sync/],
  ["shown while the sync runs", [write, half[0]!, shown, half[2]!], /shown before its sync/],
  [
    "only a sync that began before the write",
    [half[0]!, write, half[2]!, shown],
    /before its sync/,
  ],
  ["never shown", [write, sync], /no reply that shows it/],
];

for (const [name, lines, verdict] of readings) {
  test(name, () => {
    // The sync may run on another thread than the response.
    const elsewhere = lines.map((line) => line.replace(/^7 (fdatasync|<\.\.\.)/, "8 $1"));
    const said = shownUnsynced(parseTrace([other, ...elsewhere].join("\n")), "tok");
    if (verdict === null) assert.equal(said, null);
    else assert.match(said ?? "nothing wrong", verdict);
  });
}
