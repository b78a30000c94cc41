import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../base/clock.ts";
import { Fault } from "../../domain/fault.ts";
import type { Execution } from "../../drivers/driver.ts";
import { noteCommandEnd } from "../../transactions/sandbox/change.ts";
import { type ExecDeps, execInSandbox } from "./exec.ts";

const printed: Execution = {
  output: (async function* () {
    yield { output: "stdout" as const, bytes: Buffer.from("hello") };
  })(),
  exitCode: async () => 0,
  write: async () => {},
  endInput() {},
  resize: async () => {},
  end: async () => {},
};

test("a command that has run is answered although the store is away at its end", async () => {
  const pod = { id: "box", placement: { machine: "m", driver: "simulated" } };
  const deps = {
    clock: new VirtualClock(),
    localDrivers: { at: () => undefined },
    peers: { exec: async () => printed },
    store: {
      async write(transaction: unknown) {
        if (transaction === noteCommandEnd) throw new Fault("store_unavailable");
        return { pod, hold: { until: 1, before: 0 } };
      },
    },
  } as unknown as ExecDeps;
  const command = { accountId: "a", id: "box", command: ["echo", "hello"], timeoutSeconds: 10 };
  const result = await execInSandbox(deps, command, new AbortController().signal);
  assert.deepEqual([result.stdout, result.exitCode], ["hello", 0]);
});

test("a command that its caller ended has no exit code, also where none is known", async () => {
  const pod = { id: "box", placement: { machine: "m", driver: "simulated" } };
  const cut: Execution = {
    ...printed,
    output: (async function* () {})(),
    exitCode: async () => {
      throw new Error("the replica has disconnected");
    },
  };
  const deps = {
    clock: new VirtualClock(),
    localDrivers: { at: () => undefined },
    peers: { exec: async () => cut },
    store: { write: async () => ({ pod, hold: { until: 1, before: 0 } }) },
  } as unknown as ExecDeps;
  const command = { accountId: "a", id: "box", command: ["sleep", "9"], timeoutSeconds: 10 };
  assert.equal((await execInSandbox(deps, command, AbortSignal.abort())).exitCode, null);
});
