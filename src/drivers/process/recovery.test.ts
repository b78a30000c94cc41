// Tests of recovery: the service, a real process here, is killed with SIGKILL, its workloads survive,
// and a new driver opens the same folder.
import assert from "node:assert/strict";
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { it } from "node:test";
import {
  crash,
  NOTE,
  NOTED,
  pids,
  service,
  untilPrinted,
} from "../../../test/fixtures/process/crashing-service.ts";
import { fabricateRun, foreignGroup } from "../../../test/fixtures/process/foreign-group.ts";
import {
  isAlive,
  type ProcessHarness,
  processHarness,
  shell,
} from "../../../test/fixtures/process/process-driver-harness.ts";
import { until } from "../../../test/fixtures/until.ts";
import { launch } from "./launch.ts";
import { WorkloadFolder } from "./workload-folder.ts";

/** A harness whose folder has the first workload of a crashed service. */
async function afterCrash(script: string): Promise<ProcessHarness> {
  const harness = await processHarness();
  const run = service(harness, script, 0, 1);
  await untilPrinted(run, "started 0");
  await until(() => pids(harness, "w0")[0]);
  await crash(run);
  return harness;
}

it("a surviving process is found, not started again, and its log is read until it is stopped", async () => {
  const harness = await afterCrash(`echo $$ ${NOTE}; sleep 0.1; echo later; sleep 600`);
  try {
    await harness.reopen();
    const observation = await harness.observe("w0");
    assert.equal(observation?.state, "running");
    await harness.driver.start(shell("w0", NOTED));
    await until(async () => (await harness.logLines("w0")).includes("later"));
    assert.equal(pids(harness, "w0").length, 1);
    assert.ok(isAlive(pids(harness, "w0")[0]!));
    await harness.driver.stop("w0", 60_000);
    assert.equal(isAlive(pids(harness, "w0")[0]!), false);
    const { state, exitCode, signal, startedAt } = (await harness.observe("w0"))!;
    assert.deepEqual({ state, exitCode, signal }, { state: "ended", exitCode: null, signal: null });
    assert.equal(startedAt, observation.startedAt);
  } finally {
    await harness.dispose();
  }
});

it("the end of a surviving process is observed, and the rest of its group is killed", async () => {
  const harness = await afterCrash(
    `(trap '' TERM; exec sleep 600) & echo $! ${NOTE}; exec sleep 600`,
  );
  try {
    await harness.reopen();
    const changed = new Promise<string>((resolve) => harness.driver.onChange(resolve));
    const leader = Number(readNote(harness, "w0").split(" ")[0]);
    process.kill(leader, "SIGTERM");
    assert.equal(await changed, "w0");
    const { state, exitCode } = (await harness.observe("w0"))!;
    assert.deepEqual({ state, exitCode }, { state: "ended", exitCode: null });
    await until(() => !isAlive(pids(harness, "w0")[0]!));
  } finally {
    await harness.dispose();
  }
});

it("a process that ended between two drivers is observed as ended, and its grandchildren are killed", async () => {
  const harness = await afterCrash(
    `(trap '' TERM; exec sleep 600) & echo $! ${NOTE}; sleep 0.2; exit 7`,
  );
  try {
    const leader = Number(readNote(harness, "w0").split(" ")[0]);
    await until(() => !isAlive(leader));
    await harness.reopen();
    assert.equal((await harness.observe("w0"))?.state, "ended");
    await until(() => !isAlive(pids(harness, "w0")[0]!));
    await harness.reopen();
    assert.equal((await harness.observe("w0"))?.state, "ended");
  } finally {
    await harness.dispose();
  }
});

it("a reused pid means that the workload has ended, and its process is not touched", async () => {
  const harness = await afterCrash(NOTED);
  const pid = pids(harness, "w0")[0]!;
  try {
    // The same pid with another start time.
    const note = readNote(harness, "w0");
    const fields = note.split(" ");
    const birth = fields.indexOf("(sh)") + 20;
    fields[birth] = String(Number(fields[birth]) - 1);
    writeNote(harness, "w0", fields.join(" "));
    await harness.reopen();
    assert.equal((await harness.observe("w0"))?.state, "ended");
    await harness.driver.stop("w0", 0);
    assert.ok(isAlive(pid));
  } finally {
    process.kill(-pid, "SIGKILL");
    await harness.dispose();
  }
});

it("a group that reused a pid while no service ran is not touched, its leader ended or not", {
  skip: !existsSync("/proc/self/stat") && "needs /proc",
}, async () => {
  const harness = await processHarness();
  const groups = [await foreignGroup("ended"), await foreignGroup("alive")];
  try {
    for (const [n, { id: pid }] of groups.entries())
      fabricateRun(harness.folder, `w${n}`, { pid, birth: 1, hasEnded: false });
    await harness.reopen();
    for (const n of [0, 1]) assert.equal((await harness.observe(`w${n}`))?.state, "ended");
    assert.deepEqual(
      groups.map(({ member }) => isAlive(member)),
      [true, true],
    );
  } finally {
    for (const group of groups) group.kill();
    await harness.dispose();
  }
});

it("after a reboot of the machine no process counts as a survivor", async () => {
  const harness = await afterCrash(NOTED);
  const pid = pids(harness, "w0")[0]!;
  try {
    const file = path.join(harness.folder, "w0", "workload.json");
    const run = JSON.parse(readFileSync(file, "utf8"));
    writeFileSync(file, JSON.stringify({ ...run, boot: "another" }));
    await harness.reopen();
    assert.equal((await harness.observe("w0"))?.state, "ended");
    assert.ok(isAlive(pid));
  } finally {
    process.kill(-pid, "SIGKILL");
    await harness.dispose();
  }
});

it("a process that is too late to claim its run exits", async () => {
  const harness = await processHarness();
  try {
    const folder = new WorkloadFolder(path.join(harness.folder, "w0"));
    const boot = "";
    const interrupted = await folder.begin(shell("w0", NOTED), 1, boot);
    await harness.reopen();
    assert.deepEqual(await harness.driver.list(), []);
    await harness.driver.start(shell("w0", NOTED));
    await until(() => pids(harness, "w0")[0]);
    const late = await launch({
      command: ["/bin/sh", "-c", NOTED],
      env: { PATH: process.env.PATH! },
      workingFolder: folder.working,
      logPath: folder.log,
      notePath: folder.notePath(interrupted.run),
      // The driver removed the folder; the harder case is a claim that the driver created.
      claimPath: await claimedByDriver(folder, interrupted.run),
    });
    assert.equal((await late.exited).exitCode, 75);
    assert.equal(pids(harness, "w0").length, 1);
  } finally {
    await harness.dispose();
  }
});

it("a process whose folder is replaced before its claim exits", async () => {
  const harness = await processHarness();
  try {
    const folder = new WorkloadFolder(path.join(harness.folder, "w0"));
    const interrupted = await folder.begin(shell("w0", NOTED), 1, "");
    const aside = path.join(harness.folder, ".removed-0");
    renameSync(folder.path, aside);
    await harness.driver.start(shell("w0", NOTED));
    await until(() => pids(harness, "w0")[0]);
    const late = await launch({
      command: ["/bin/sh", "-c", NOTED],
      env: { PATH: process.env.PATH! },
      workingFolder: path.join(aside, "work"),
      logPath: path.join(aside, "log"),
      notePath: folder.notePath(interrupted.run),
      claimPath: folder.claimPath(interrupted.run),
    });
    assert.equal((await late.exited).exitCode, 75);
    assert.equal(pids(harness, "w0").length, 1);
  } finally {
    await harness.dispose();
  }
});

async function claimedByDriver(folder: WorkloadFolder, run: string): Promise<string> {
  assert.equal(await folder.claimant(run), null);
  assert.equal(await folder.claimant(run), null);
  return folder.claimPath(run);
}

it("a restart that a crash interrupts leaves the workload ended as before", async () => {
  const harness = await processHarness();
  try {
    await harness.driver.start(shell("w0", "exit 9"));
    const ended = await until(async () => {
      const observation = await harness.observe("w0");
      return observation?.state === "ended" ? observation : null;
    });
    await harness.driver.close();
    await new WorkloadFolder(path.join(harness.folder, "w0")).begin(shell("w0", NOTED), 1, "");
    for (let opening = 0; opening < 2; opening++) {
      await harness.reopen();
      assert.deepEqual(await harness.driver.list(), [ended]);
    }
  } finally {
    await harness.dispose();
  }
});

it("each workload runs exactly once after the service is killed at any moment and started again", async () => {
  const COUNT = 12;
  const harness = await processHarness();
  try {
    for (let round = 0; round < COUNT; round++) {
      const run = service(harness, NOTED, 0, COUNT);
      // Each round gets further before the kill, which happens during a start.
      await untilPrinted(run, `starting ${round}`);
      const killAt = performance.now() + (round % 4) * 0.7;
      while (performance.now() < killAt);
      await crash(run);
    }
    await harness.reopen();
    for (let n = 0; n < COUNT; n++) await harness.driver.start(shell(`w${n}`, NOTED));
    await until(() => range(COUNT).every((n) => pids(harness, `w${n}`).some(isAlive)));
    for (const n of range(COUNT)) {
      assert.equal(pids(harness, `w${n}`).filter(isAlive).length, 1, `w${n}`);
    }
    assert.equal(
      (await harness.driver.list()).filter(({ state }) => state === "running").length,
      COUNT,
    );
  } finally {
    await harness.dispose();
  }
});

const range = (count: number) => Array.from({ length: count }, (_, n) => n);

function notePath(harness: ProcessHarness, id: string): string {
  const folder = path.join(harness.folder, id);
  return path.join(folder, readdirSync(folder).find((name) => name.startsWith("note-"))!);
}

function readNote(harness: ProcessHarness, id: string): string {
  return readFileSync(notePath(harness, id), "utf8");
}

function writeNote(harness: ProcessHarness, id: string, note: string): void {
  writeFileSync(notePath(harness, id), "");
  appendFileSync(notePath(harness, id), note);
}
