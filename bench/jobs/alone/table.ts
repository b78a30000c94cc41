// Tables with the measurements of Freehold alone.
import { markdownTable } from "../report/table.ts";
import type { Alone } from "./alone.ts";
import type { Laden } from "./beside-backlog.ts";
import type { IdleLatency } from "./idle-latency.ts";
import type { LargeInputs } from "./large-inputs.ts";
import type { Spread } from "./small-requests.ts";

type Row = string[];

/** `more` are further rows of the idle table. */
export function aloneTables({ idleJobs, backlogJobs, laden }: Alone, more: Row[] = []): string {
  return `Time from submit to receipt by a worker whose poll is held, on an idle service: ${idleJobs} jobs one after
another, compared with a 4 kB append and fdatasync in the same folder.

${idleTable(laden, more)}

The cycle at 16 clients with ${backlogJobs.toLocaleString("en")} queued jobs of a lower priority than the measured
ones, and the start time and resident memory on the same data. "Of empty" is the ratio to the same
round without queued jobs.

${ladenTable(laden)}`;
}

export function largeTable({ submitted, without, beside }: LargeInputs): string {
  return `Small requests, one every 5 ms, without and with four clients that submit 10 MB inputs one after
another. ${submitted} large inputs were acknowledged meanwhile.

${markdownTable(
  ["small requests", "sent", "p50 ms", "p99 ms", "longest ms"],
  [spread("without large inputs", without), spread("with 10 MB inputs", beside)],
)}`;
}

export function acrossRow(across: IdleLatency): Row {
  return idleRow("nowhere, polled on another replica", across);
}

function idleTable(laden: Laden[], more: Row[]): string {
  const rows = laden.flatMap(({ queued, idle }) => (idle ? [idleRow(queued, idle)] : []));
  const head = ["jobs queued on", "p50 ms", "p99 ms", "sync p50 ms", "sync p99 ms"];
  return markdownTable(head, [...rows, ...more]);
}

function idleRow(queued: string, { p50Ms, p99Ms, sync }: IdleLatency): Row {
  return [queued, ...[p50Ms, p99Ms, sync.p50Ms, sync.p99Ms].map((ms) => ms.toFixed(2))];
}

function ladenTable(laden: Laden[]): string {
  const head = [
    "jobs queued on",
    "cycles/s",
    "rate of empty",
    "CPU µs/job",
    "CPU of empty",
    "p99 ms",
  ];
  const rows = laden.map((row) => [
    row.queued,
    row.cyclesPerSecond.toFixed(0),
    row.ofEmpty.toFixed(2),
    row.cpuMicrosPerCycle.toFixed(0),
    row.cpuOfEmpty.toFixed(2),
    row.p99Ms.toFixed(2),
    row.readyMs.toFixed(0),
    (row.idleBytes / 1e6).toFixed(0),
    (row.loadedBytes / 1e6).toFixed(0),
  ]);
  return markdownTable([...head, "start to ready ms", "idle MB", "after load MB"], rows);
}

function spread(name: string, { requests, p50Ms, p99Ms, maxMs }: Spread): string[] {
  return [name, String(requests), p50Ms.toFixed(2), p99Ms.toFixed(2), maxMs.toFixed(1)];
}
