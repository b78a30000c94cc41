// Tests of processes whose service is killed with SIGKILL: they end if no service comes, and go on if one does.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { it } from "node:test";
import {
  crash,
  NOTE,
  NOTED,
  pids,
  service,
  untilPrinted,
} from "../../../../test/fixtures/process/crashing-service.ts";
import { fabricateRun, foreignGroup } from "../../../../test/fixtures/process/foreign-group.ts";
import {
  isAlive,
  processHarness,
} from "../../../../test/fixtures/process/process-driver-harness.ts";
import { until } from "../../../../test/fixtures/until.ts";
import { OrphanWatch } from "./orphan-watch.ts";

/** The command lines of the scripts that watch a folder. */
function watchesOf(folder: string): string[] {
  const { stdout } = spawnSync("/bin/ps", ["-A", "-o", "args="], { encoding: "utf8" });
  return stdout.split("\n").filter((line) => line.includes(`freehold-orphans ${folder} `));
}

it("a process group ends in time after its service was killed, if no other service comes", async () => {
  const harness = await processHarness();
  try {
    const script = `(exec sleep 600) & echo $! ${NOTE}; ${NOTED}`;
    const run = service(harness, script, 0, 2, { orphanSeconds: 1 });
    await untilPrinted(run, "started 1");
    const all = await until(() => {
      const found = [...pids(harness, "w0"), ...pids(harness, "w1")];
      return found.length === 4 ? found : null;
    });
    assert.ok(all.every(isAlive));
    await crash(run);
    await until(() => !all.some(isAlive));
    await until(() => watchesOf(harness.folder).length === 0);
  } finally {
    await harness.dispose();
  }
});

it("a process goes on if a service takes its folder over in time, and is watched again", async () => {
  const harness = await processHarness();
  try {
    const run = service(harness, NOTED, 0, 1, { orphanSeconds: 2 });
    await untilPrinted(run, "started 0");
    const pid = await until(() => pids(harness, "w0")[0]);
    const [first] = await until(() => watchesOf(harness.folder));
    await crash(run);
    await harness.reopen();
    await until(() => !watchesOf(harness.folder).includes(first!));
    assert.ok(isAlive(pid));
    assert.equal(watchesOf(harness.folder).length, 1);
  } finally {
    await harness.dispose();
  }
});

/** The running process whose command line, with NUL after each word, ends so. */
function processOf(commandEnd: string, parent?: number): number | undefined {
  return readdirSync("/proc")
    .map(Number)
    .find((pid) => {
      try {
        const [command, stat] = ["cmdline", "stat"].map((file) =>
          readFileSync(`/proc/${pid}/${file}`, "latin1"),
        );
        const isChild = parent === undefined || stat!.includes(`) S ${parent} `);
        return isChild && command!.endsWith(commandEnd);
      } catch {
        return false; // no process, or one that has ended
      }
    });
}

it("a process that writes its note after its service was killed ends as well", {
  skip: !existsSync("/proc/self/stat") && "needs /proc",
}, async () => {
  const harness = await processHarness();
  const group = await foreignGroup("ended");
  try {
    const watch = new OrphanWatch(harness.folder, 1);
    watch.begin();
    const holder = readFileSync(path.join(harness.folder, ".holder"), "latin1");
    const script = await until(() => processOf(`${harness.folder}\0${holder}\x001\0`));
    watch.end();
    const pause = await until(() => !isAlive(script) || processOf("sleep\x001\0", script));
    assert.ok(typeof pause === "number", "it waits for late notes");
    process.kill(pause, "SIGSTOP");
    fabricateRun(harness.folder, "w0", { pid: group.id, birth: 1, hasEnded: false });
    process.kill(pause, "SIGCONT");
    await until(() => !isAlive(group.member));
    await until(() => watchesOf(harness.folder).length === 0);
  } finally {
    if (isAlive(group.member)) group.kill();
    await harness.dispose();
  }
});

it("a group that reused the pid of an ended run is left alone", {
  skip: !existsSync("/proc/self/stat") && "needs /proc",
}, async () => {
  const harness = await processHarness();
  const groups = [await foreignGroup("ended"), await foreignGroup("alive")];
  try {
    const run = service(harness, NOTED, 0, 1, { orphanSeconds: 1 });
    await untilPrinted(run, "started 0");
    const pid = await until(() => pids(harness, "w0")[0]);
    fabricateRun(harness.folder, "w1", { pid: groups[0]!.id, birth: 1, hasEnded: true });
    fabricateRun(harness.folder, "w2", { pid: groups[1]!.id, birth: 1, hasEnded: false });
    await crash(run);
    await until(() => !isAlive(pid));
    await until(() => watchesOf(harness.folder).length === 0);
    assert.deepEqual(
      groups.map(({ member }) => isAlive(member)),
      [true, true],
    );
  } finally {
    for (const group of groups) group.kill();
    await harness.dispose();
  }
});
