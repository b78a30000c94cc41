import assert from "node:assert/strict";
import { it } from "node:test";
import { until } from "../../../../test/fixtures/until.ts";
import { systemClock, VirtualClock } from "../../../base/clock.ts";
import type { Execution } from "../../driver.ts";
import { NO_GPUS } from "../gpu/simulated-gpus.ts";
import type { SimulatedPodFacts } from "./messages.ts";
import { SimulatedShells } from "./shells.ts";

const pod: SimulatedPodFacts = {
  id: "pod",
  env: {},
  command: [],
  vcpus: 1,
  memoryBytes: 1,
  diskBytes: 1,
  startedAt: 0,
  at: 0,
  volumes: [],
  gpus: NO_GPUS,
};

async function textOf({ output }: Execution): Promise<string> {
  let text = "";
  for await (const { bytes } of output) text += bytes;
  return text;
}

it("ends a thread that does not answer, with its commands, and starts another one", async (t) => {
  const pingClock = new VirtualClock();
  const shells = new SimulatedShells(systemClock, pingClock);
  t.after(() => shells.close());
  const run = (script: string) => shells.exec(pod, { command: ["sh", "-c", script], tty: null });

  // A thread that answers is kept, however long a command takes.
  const reading = run("echo begun; read -r line; echo $line");
  for (let n = 0; n < 10; n++) {
    await pingClock.advance(5_000);
    assert.equal(await textOf(run("echo on")), "on\n");
  }
  await reading.write(Buffer.from("line\n"));
  reading.endInput();
  assert.equal(await textOf(reading), "begun\nline\n");

  const looping = run("while :; do :; done");
  const waiting = run("sleep 1");
  for (let n = 0; n < 5; n++) await pingClock.advance(5_000);
  for (const execution of [looping, waiting]) {
    const sentence = "the simulated shells did not answer for 20 seconds and were restarted\n";
    assert.equal(await textOf(execution), sentence);
    assert.equal(await execution.exitCode(), 137);
  }
  assert.equal(await textOf(run("echo again")), "again\n");
});

it("takes input only as fast as a command uses it", async (t) => {
  const shells = new SimulatedShells(new VirtualClock());
  t.after(() => shells.close());
  const execution = shells.exec(pod, { command: ["sh", "-c", "sleep 1000"], tty: null });
  const line = Buffer.from(`${"x".repeat(65_535)}\n`);
  let taken = 0;
  const writes: Promise<void>[] = [];
  for (let n = 0; n < 10; n++) {
    writes.push(
      execution.write(line).then(() => {
        taken += line.length;
      }),
    );
  }
  await until(async () => taken >= 262_144 || null);
  assert.equal(await textOf(shells.exec(pod, { command: ["echo", "on"], tty: null })), "on\n");
  assert.equal(taken, 262_144);
  await execution.end();
  await Promise.all(writes);
});
