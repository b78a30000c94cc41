// A container that prints endlessly: the service's memory and disk usage meanwhile, with a fast
// follower and one that reads nothing. Writes its results page.

import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as realTime } from "node:timers/promises";
import { docker, ensureShellImage } from "../../test/fixtures/docker/engine.ts";
import { readEvents } from "../../test/fixtures/event-stream.ts";
import { describeMachine } from "../jobs/host/machine.ts";
import { residentBytes } from "../jobs/host/process-cpu.ts";
import { markdownTable } from "../jobs/report/table.ts";
import { ENGINE, startProcess } from "./process.ts";

const GOAL_PER_SECOND = 10e6;

/** Includes the line break. */
const LINE_BYTES = 101;

/** A megabyte at once. */
const FLOOD =
  'line="$(printf "%0100d" 0)"; block=; for n in {1..1000}; do block+="$line"$\'\\n\'; done; ' +
  'while :; do for n in {1..10}; do printf %s "$block"; done; sleep 0.03; done';

interface Flooded {
  seconds: number;
  printed: number;
  residentBefore: number;
  residentMost: number;
  diskMost: number;
  read: number;
  lost: number;
}

export async function benchLogs(seconds: number): Promise<void> {
  const image = ensureShellImage(ENGINE);
  const service = await startProcess(null);
  try {
    const command = { dockerEntrypoint: ["bash", "-c"], dockerStartCmd: [FLOOD] };
    const residentBefore = residentBytes(service.pid);
    const { id, container } = await service.rent({ imageName: image, ports: [], ...command });
    const url = `${service.origin}/v1/pods/${id}/logs?follow=true&type=container&tail=1`;
    const headers = { authorization: `Bearer ${service.key}` };
    const idle = await readEvents(url, headers);
    const quick = await readEvents(url, headers);
    const reading = readAll(quick);
    const inspect = (format: string) => docker(ENGINE, "inspect", "--format", format, container);
    const log = inspect("{{.LogPath}}");
    const printed = () => printedBy(inspect("{{.State.Pid}}"));
    const from = printed();
    const began = performance.now();
    let [residentMost, diskMost] = [0, 0];
    while (performance.now() - began < seconds * 1_000) {
      await realTime(250);
      residentMost = Math.max(residentMost, residentBytes(service.pid));
      diskMost = Math.max(diskMost, bytesOf(log));
    }
    const took = (performance.now() - began) / 1_000;
    const flooded = { seconds: took, printed: printed() - from, residentBefore };
    quick.close();
    idle.close();
    write({ ...flooded, residentMost, diskMost, ...(await reading) });
  } finally {
    await service.end();
  }
}

/** Until it is closed. */
async function readAll({ next }: Awaited<ReturnType<typeof readEvents>>) {
  let [read, lost] = [0, 0];
  try {
    for (let event = await next(); event !== null; event = await next()) {
      if (event.data.lost === undefined) read++;
      else lost += event.data.lost;
    }
  } catch {
    // It was closed.
  }
  return { read, lost };
}

function printedBy(pid: string): number {
  return Number(/^wchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, "utf8"))![1]);
}

/** The size of a log and its older parts. */
function bytesOf(log: string): number {
  const [folder, name] = [path.dirname(log), path.basename(log)];
  const parts = readdirSync(folder).filter((each) => each.startsWith(name));
  return parts.reduce(
    (sum, each) => sum + (statSync(path.join(folder, each), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

const megabytes = (bytes: number) => (bytes / 1e6).toFixed(0);

function write({ seconds, printed, residentBefore, residentMost, diskMost, ...lines }: Flooded) {
  const perSecond = printed / seconds;
  const page = `# Log benchmark

Written by \`npm run bench:pods -- logs\` on ${new Date().toISOString().slice(0, 10)}.

${describeMachine()
  .map((each) => `- ${each}`)
  .join("\n")}

A container printed lines of a hundred characters for ${seconds.toFixed(0)} s, at ${(perSecond / 1e6).toFixed(1)} MB per second (goal:
${megabytes(GOAL_PER_SECOND)} MB or more). One reader took everything over the network, another one took nothing. The table
shows the peak memory of the whole service process and the peak size of the log on the disk.

${markdownTable(
  ["printed MB", "RSS before, MB", "peak RSS, MB", "peak log on disk, MB"],
  [[printed, residentBefore, residentMost, diskMost].map(megabytes)],
)}

Of ${Math.round(printed / LINE_BYTES)} lines the reader got ${lines.read}. The service reported ${lines.lost} lines as skipped for a slow reader. The
engine had rotated away all others before it sent them, which it does not report.
`;
  process.stdout.write(page);
  const file = path.join(import.meta.dirname, "..", "results", "pods-logs.md");
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, page);
}
