// A table of the wall time and the CPU time of each test file, to find what makes a test run slow. Loaded before
// each test file, which adds its own row at its end.
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { isMainThread } from "node:worker_threads";

const HEADER = "wall s\tCPU s\tCPU s of child processes\tfile";
const TICKS_PER_SECOND = 100;
const ROOT = path.dirname(import.meta.dirname);

const { FREEHOLD_TEST_TIMES: table, NODE_TEST_CONTEXT } = process.env;
const file = process.argv[1] ?? "";
if (table && NODE_TEST_CONTEXT && isMainThread && /\.test\.(?:ts|mjs)$/.test(file)) {
  process.on("exit", () => {
    const seconds = [process.uptime(), ...cpuSeconds()].map((each) => each.toFixed(1));
    appendFileSync(table, `${[...seconds, path.relative(ROOT, file)].join("\t")}\n`);
  });
}

/** Of this process and of its child processes that have ended; only Linux counts the latter. */
function cpuSeconds() {
  const { user, system } = process.cpuUsage();
  const own = (user + system) / 1e6;
  if (process.platform !== "linux") return [own, 0];
  const [, fields] = readFileSync("/proc/self/stat", "utf8").split(/\) (?=[^)]*$)/);
  const [cutime, cstime] = fields.split(" ").slice(13, 15);
  return [own, (Number(cutime) + Number(cstime)) / TICKS_PER_SECOND];
}

export function startTable(name) {
  mkdirSync(path.dirname(name), { recursive: true });
  writeFileSync(name, `${HEADER}\n`);
}

/** Moves the longest files to the top. */
export function sortTable(name) {
  const [header, ...rows] = readFileSync(name, "utf8").trim().split("\n");
  rows.sort((a, b) => Number.parseFloat(b) - Number.parseFloat(a));
  writeFileSync(name, `${[header, ...rows].join("\n")}\n`);
}
