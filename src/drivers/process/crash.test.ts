// The service dies with SIGKILL, its processes do not. What a new driver on the same folder makes
// of them is tried here with a service that is a real process of its own.
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { it } from "node:test";
import { launch } from "./launch.ts";
import { lives, type ProcessBench, processBench, shell, until } from "./process-bench.ts";
import { WorkloadFolder } from "./workload-folder.ts";

/** Notes a pid where no driver will remove it. */
const NOTE = '>>"../../pids.$(basename "$(dirname "$PWD")")"';
/** Notes each process that a workload ever had. */
const NOTED = `echo $$ ${NOTE}; exec sleep 600`;

const here = (file: string) => JSON.stringify(new URL(file, import.meta.url).href);
const SERVICE = `
import { openProcessDriver } from ${here("./process-driver.ts")};
import { systemClock } from ${here("../../base/clock.ts")};
const [folder, script, first, count] = process.argv.slice(1);
const driver = await openProcessDriver({ folder, clock: systemClock, env: process.env });
for (let n = Number(first); n < Number(count); n++) {
  console.log("starting " + n);
  const command = ["/bin/sh", "-c", script];
  await driver.start({ id: "w" + n, image: "", entrypoint: [], command, env: {} });
  console.log("started " + n);
}
setInterval(() => {}, 1000);
`;

interface Service {
  child: ChildProcess;
  lines: AsyncIterableIterator<string>;
}

function service(bench: ProcessBench, script: string, first: number, count: number): Service {
  const args = ["--input-type=module", "-e", SERVICE, "--"];
  const child = spawn(
    process.execPath,
    [...args, bench.folder, script, String(first), String(count)],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  return { child, lines };
}

async function heard({ lines }: Service, line: string): Promise<void> {
  for await (const one of { [Symbol.asyncIterator]: () => lines }) if (one === line) return;
  assert.fail(`the service never said: ${line}`);
}

async function crash({ child }: Service): Promise<void> {
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

function pids(bench: ProcessBench, id: string): number[] {
  const file = path.join(bench.folder, `pids.${id}`);
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8").trim().split("\n").map(Number);
}

/** A driver that finds what a crashed service started as its first workload. */
async function afterCrash(script: string): Promise<ProcessBench> {
  const bench = await processBench();
  const run = service(bench, script, 0, 1);
  await heard(run, "started 0");
  await until(() => pids(bench, "w0")[0]);
  await crash(run);
  return bench;
}

it("a survivor is found again, not doubled, heard to the end and stopped", async () => {
  const bench = await afterCrash(`echo $$ ${NOTE}; sleep 0.1; echo later; sleep 600`);
  try {
    await bench.reopen();
    const seen = await bench.see("w0");
    assert.equal(seen?.state, "running");
    await bench.driver.start(shell("w0", NOTED));
    await until(async () => (await bench.printed("w0")).includes("later"));
    assert.equal(pids(bench, "w0").length, 1);
    assert.ok(lives(pids(bench, "w0")[0]!));
    await bench.driver.stop("w0", 60_000);
    assert.equal(lives(pids(bench, "w0")[0]!), false);
    const { state, exitCode, signal, startedAt } = (await bench.see("w0"))!;
    assert.deepEqual({ state, exitCode, signal }, { state: "ended", exitCode: null, signal: null });
    assert.equal(startedAt, seen.startedAt);
  } finally {
    await bench.dispose();
  }
});

it("a survivor that ends by itself is noticed, with what it leaves behind", async () => {
  const bench = await afterCrash(
    `(trap '' TERM; exec sleep 600) & echo $! ${NOTE}; exec sleep 600`,
  );
  try {
    await bench.reopen();
    const heardOf = new Promise<string>((resolve) => bench.driver.onChange(resolve));
    const leader = Number(readNote(bench, "w0").split(" ")[0]);
    process.kill(leader, "SIGTERM");
    assert.equal(await heardOf, "w0");
    const { state, exitCode } = (await bench.see("w0"))!;
    assert.deepEqual({ state, exitCode }, { state: "ended", exitCode: null });
    await until(() => !lives(pids(bench, "w0")[0]!));
  } finally {
    await bench.dispose();
  }
});

it("what ended while nobody looked has ended, and its grandchildren with it", async () => {
  const bench = await afterCrash(
    `(trap '' TERM; exec sleep 600) & echo $! ${NOTE}; sleep 0.2; exit 7`,
  );
  try {
    const leader = Number(readNote(bench, "w0").split(" ")[0]);
    await until(() => !lives(leader));
    await bench.reopen();
    assert.equal((await bench.see("w0"))?.state, "ended");
    await until(() => !lives(pids(bench, "w0")[0]!));
    await bench.reopen();
    assert.equal((await bench.see("w0"))?.state, "ended");
  } finally {
    await bench.dispose();
  }
});

it("a pid that now belongs to somebody else is an ended workload, and is left in peace", async () => {
  const bench = await afterCrash(NOTED);
  const pid = pids(bench, "w0")[0]!;
  try {
    // The same pid, born at another time.
    const note = readNote(bench, "w0");
    const fields = note.split(" ");
    const birth = fields.indexOf("(sh)") + 20;
    fields[birth] = String(Number(fields[birth]) - 1);
    writeNote(bench, "w0", fields.join(" "));
    await bench.reopen();
    assert.equal((await bench.see("w0"))?.state, "ended");
    await bench.driver.stop("w0", 0);
    assert.ok(lives(pid));
  } finally {
    process.kill(-pid, "SIGKILL");
    await bench.dispose();
  }
});

it("after a reboot of the machine nothing is taken for a survivor", async () => {
  const bench = await afterCrash(NOTED);
  const pid = pids(bench, "w0")[0]!;
  try {
    const file = path.join(bench.folder, "w0", "workload.json");
    const run = JSON.parse(readFileSync(file, "utf8"));
    writeFileSync(file, JSON.stringify({ ...run, boot: "another" }));
    await bench.reopen();
    assert.equal((await bench.see("w0"))?.state, "ended");
    assert.ok(lives(pid));
  } finally {
    process.kill(-pid, "SIGKILL");
    await bench.dispose();
  }
});

it("a process that comes too late to claim its run gives up", async () => {
  const bench = await processBench();
  try {
    const folder = new WorkloadFolder(path.join(bench.folder, "w0"));
    const boot = "";
    const cut = await folder.begin(shell("w0", NOTED), 1, boot);
    await bench.reopen();
    assert.deepEqual(await bench.driver.list(), []);
    await bench.driver.start(shell("w0", NOTED));
    await until(() => pids(bench, "w0")[0]);
    const late = await launch({
      command: ["/bin/sh", "-c", NOTED],
      env: { PATH: process.env.PATH! },
      workingFolder: folder.working,
      logPath: folder.log,
      notePath: folder.notePath(cut.run),
      // The driver removed the whole folder; the harder case is a claim that it made.
      claimPath: await voided(folder, cut.run),
    });
    assert.equal((await late.exited).exitCode, 75);
    assert.equal(pids(bench, "w0").length, 1);
  } finally {
    await bench.dispose();
  }
});

it("a process whose folder was replaced before it could claim gives up", async () => {
  const bench = await processBench();
  try {
    const folder = new WorkloadFolder(path.join(bench.folder, "w0"));
    const cut = await folder.begin(shell("w0", NOTED), 1, "");
    const aside = path.join(bench.folder, ".removed-0");
    renameSync(folder.at, aside);
    await bench.driver.start(shell("w0", NOTED));
    await until(() => pids(bench, "w0")[0]);
    const late = await launch({
      command: ["/bin/sh", "-c", NOTED],
      env: { PATH: process.env.PATH! },
      workingFolder: path.join(aside, "work"),
      logPath: path.join(aside, "log"),
      notePath: folder.notePath(cut.run),
      claimPath: folder.claimPath(cut.run),
    });
    assert.equal((await late.exited).exitCode, 75);
    assert.equal(pids(bench, "w0").length, 1);
  } finally {
    await bench.dispose();
  }
});

async function voided(folder: WorkloadFolder, run: string): Promise<string> {
  assert.equal(await folder.claimant(run), null);
  assert.equal(await folder.claimant(run), null);
  return folder.claimPath(run);
}

it("a restart that a crash cut short leaves the workload as it ended before", async () => {
  const bench = await processBench();
  try {
    await bench.driver.start(shell("w0", "exit 9"));
    const ended = await until(async () => {
      const seen = await bench.see("w0");
      return seen?.state === "ended" ? seen : null;
    });
    await bench.driver.close();
    await new WorkloadFolder(path.join(bench.folder, "w0")).begin(shell("w0", NOTED), 1, "");
    for (let life = 0; life < 2; life++) {
      await bench.reopen();
      assert.deepEqual(await bench.driver.list(), [ended]);
    }
  } finally {
    await bench.dispose();
  }
});

it("killed at any moment and started again, each workload runs exactly once", async () => {
  const COUNT = 12;
  const bench = await processBench();
  try {
    for (let round = 0; round < COUNT; round++) {
      const run = service(bench, NOTED, 0, COUNT);
      // Each round gets further before the blow, which falls somewhere inside a start.
      await heard(run, `starting ${round}`);
      const blow = performance.now() + (round % 4) * 0.7;
      while (performance.now() < blow);
      await crash(run);
    }
    await bench.reopen();
    for (let n = 0; n < COUNT; n++) await bench.driver.start(shell(`w${n}`, NOTED));
    await until(() => range(COUNT).every((n) => pids(bench, `w${n}`).some(lives)));
    for (const n of range(COUNT)) {
      assert.equal(pids(bench, `w${n}`).filter(lives).length, 1, `w${n}`);
    }
    assert.equal(
      (await bench.driver.list()).filter(({ state }) => state === "running").length,
      COUNT,
    );
  } finally {
    await bench.dispose();
  }
});

const range = (count: number) => Array.from({ length: count }, (_, n) => n);

function notePath(bench: ProcessBench, id: string): string {
  const folder = path.join(bench.folder, id);
  return path.join(folder, readdirSync(folder).find((name) => name.startsWith("note-"))!);
}

function readNote(bench: ProcessBench, id: string): string {
  return readFileSync(notePath(bench, id), "utf8");
}

function writeNote(bench: ProcessBench, id: string, note: string): void {
  writeFileSync(notePath(bench, id), "");
  appendFileSync(notePath(bench, id), note);
}
