// What a job writes on SQLite: node bin/run.mjs bench/jobs/writes/main.ts [--beside COMMIT] [--clients N]. It counts instead of
// measuring times, so other programs on the machine matter little: bytes, commits and pages of the write-ahead log, and system
// calls where strace is installed.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { until } from "../../../test/fixtures/until.ts";
import { checkOut, root } from "../beside/beside.ts";
import { load, type Shape, warmUp } from "../comparison.ts";
import { processTree } from "../host/process-cpu.ts";
import type { StartedPeer } from "../peers.ts";
import { markdownTable } from "../report/table.ts";
import { countSubmitted, type LogGrowth, LogReader } from "./log-pages.ts";

const { beside, clients } = parseArgs({
  options: { beside: { type: "string" }, clients: { type: "string", default: "1" } },
}).values;

const SHAPE: Shape = { form: "cycle", clients: Number(clients) };
const PACE = { warmUpMs: 0, measureMs: 2_000 };
const SYSTEM_CALLS = ["fdatasync", "pwrite64", "epoll_pwait"];

/** Figures per job, by what they count. */
type Figures = Map<string, number>;

async function measure(checkout: string): Promise<Figures> {
  const jobs = path.join(checkout, "bench", "jobs");
  const { startOn } = await import(path.join(jobs, "peers", "freehold.ts"));
  const { sqliteHome } = await import(path.join(jobs, "host", "home.ts"));
  const home = await sqliteHome();
  const server = await startOn(home);
  await warmUp(server);
  // The reserve for a full disk is written in many synced pieces.
  await until(() => existsSync(path.join(home.folder, "freehold.db-reserve")));
  const figures = new Map([
    ...(await countLog(server, home.folder)),
    ...(await countSystemCalls(server, home.folder)),
  ]);
  await server.stop();
  await home.drop();
  return figures;
}

async function countLog(server: StartedPeer, folder: string): Promise<Figures> {
  for (;;) {
    const [reader, before] = [new LogReader(folder), countSubmitted(folder)];
    await load(server, SHAPE, PACE);
    const submitted = countSubmitted(folder) - before;
    const growth = reader.close();
    if (growth) return perJob(growth, submitted);
  }
}

function perJob({ commits, bytes, pages }: LogGrowth, jobs: number): Figures {
  const entries = [...pages].sort(([, a], [, b]) => b - a);
  const sum = entries.reduce((total, [, count]) => total + count, 0);
  const counts = [
    ["kB of the log", bytes / 1_000],
    ["commits", commits],
    ["pages", sum],
    ...entries.map(([name, count]) => [`pages of ${name}`, count] as const),
  ] as const;
  return new Map(counts.map(([name, count]) => [name, count / jobs]));
}

/** Empty where strace is missing. */
async function countSystemCalls(server: StartedPeer, folder: string): Promise<Figures> {
  const pids = Object.values(server.processes).flat().flatMap(processTree);
  const options = ["-f", "-c", "-e", `trace=${SYSTEM_CALLS}`, "-p", pids.join(",")];
  const strace = spawn("strace", options, { stdio: ["ignore", "ignore", "pipe"] });
  let output = "";
  strace.stderr.setEncoding("utf8").on("data", (text) => {
    output += text;
  });
  const ended = once(strace, "close").catch(() => null);
  const before = countSubmitted(folder);
  await load(server, SHAPE, PACE);
  const jobs = countSubmitted(folder) - before;
  strace.kill("SIGINT");
  await ended;
  const rows = [...output.matchAll(/^\s*[\d.]+\s+[\d.]+\s+\d+\s+(\d+)\s+(?:\d+\s+)?(\w+)$/gm)];
  return new Map(
    rows.flatMap(([, calls, name]) =>
      name === "total" ? [] : [[`calls of ${name}`, Number(calls) / jobs]],
    ),
  );
}

const here = await measure(root);
const there = beside === undefined ? null : await measure(checkOut(beside));
const names = new Set([...(there?.keys() ?? []), ...here.keys()]);
const cell = (figures: Figures, name: string) => (figures.get(name) ?? 0).toFixed(2);
const table = markdownTable(
  ["per job", ...(there ? [beside!] : []), "here"],
  [...names].map((name) => [name, ...(there ? [cell(there, name)] : []), cell(here, name)]),
);
process.stdout.write(`${table}\n`);
process.exit(0);
