// Tests of processes whose service is killed with SIGKILL: they end if no service comes, and go on if one does.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { it } from "node:test";
import {
  crash,
  NOTE,
  NOTED,
  pids,
  service,
  untilPrinted,
} from "../../../../test/fixtures/process/crashing-service.ts";
import {
  isAlive,
  processHarness,
} from "../../../../test/fixtures/process/process-driver-harness.ts";
import { until } from "../../../../test/fixtures/until.ts";

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
