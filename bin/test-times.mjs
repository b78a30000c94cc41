// A table of the wall time and the CPU time of each test file, to find what makes a test run slow. Loaded before
// each test file. Each test reports its CPU time, which test/runner/report.ts adds up by file; what its process takes
// besides, such as loading the code, is a row that it adds at its end.
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { isMainThread } from "node:worker_threads";

const HEADER = "wall s\tCPU s, with child processes\tfile";
/** Before the name of a file whose row is not that of its tests. */
const STARTING = "starting";
const TICKS_PER_SECOND = 100;
const ROOT = path.dirname(import.meta.dirname);

const { FREEHOLD_TEST_TIMES: table, NODE_TEST_CONTEXT } = process.env;
const file = process.argv[1] ?? "";
if (table && NODE_TEST_CONTEXT && isMainThread && /\.test\.(?:ts|mjs)$/.test(file)) {
  const { afterEach, beforeEach } = await import("node:test");
  const rest = [0, 0];
  let last = [0, 0]; // at the end of a test, up to which `rest` is counted
  /** Never less than before: the times of a child's children are lost if it does not wait for them. */
  const since = (start) => times().map((each, at) => Math.max(0, each - start[at]));
  const countRest = () => {
    for (const [at, spent] of since(last).entries()) rest[at] += spent;
  };
  let current = null; // its subtests belong to it
  beforeEach(({ fullName }) => {
    if (current && fullName.startsWith(current.fullName)) return;
    countRest();
    current = { fullName, start: times() };
  });
  afterEach((t) => {
    if (t.fullName !== current?.fullName) return;
    // Registered last, so that what the test started has ended.
    t.after(() => {
      t.diagnostic(`CPU seconds: ${since(current.start)[1].toFixed(2)}`);
      last = times();
      current = null;
    });
  });
  process.on("exit", () => {
    countRest();
    const figures = rest.map((each) => each.toFixed(1));
    appendFileSync(
      table,
      `${[...figures, `${STARTING} ${path.relative(ROOT, file)}`].join("\t")}\n`,
    );
  });
}

/** Wall time and CPU time, with that of child processes; only Linux counts the latter. */
function times() {
  const { user, system } = process.cpuUsage();
  const own = (user + system) / 1e6;
  if (process.platform !== "linux") return [process.uptime(), own];
  const ticks = ticksOf(process.pid, CHILDREN) + ticksOfRunning(process.pid);
  return [process.uptime(), own + ticks / TICKS_PER_SECOND];
}

/** Fields of `/proc/PID/stat` after the name: what a process has taken, and its children that have ended. */
const CHILDREN = [13, 14];
const OWN = [11, 12];

function ticksOf(pid, fields) {
  const [, text] = readFileSync(`/proc/${pid}/stat`, "utf8").split(/\) (?=[^)]*$)/);
  const values = text.split(" ");
  return fields.reduce((sum, field) => sum + Number(values[field]), 0);
}

/** Of the children that run, and theirs: a browser that serves all tests of a file ends after the last. */
function ticksOfRunning(pid) {
  let sum = 0;
  for (const child of childrenOf(pid)) {
    try {
      sum += ticksOf(child, [...OWN, ...CHILDREN]) + ticksOfRunning(child);
    } catch {
      // It has ended meanwhile.
    }
  }
  return sum;
}

/** Empty where the kernel lists no children. */
function childrenOf(pid) {
  const tasks = `/proc/${pid}/task`;
  try {
    return readdirSync(tasks).flatMap(
      (task) => readFileSync(`${tasks}/${task}/children`, "utf8").match(/\d+/g) ?? [],
    );
  } catch {
    return [];
  }
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
