import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../base/clock.ts";
import { Fault } from "../../domain/fault.ts";
import { DriverUnavailable, type Execution } from "../../drivers/driver.ts";
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
        return { pod, until: 1 };
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
    store: { write: async () => ({ pod, until: 1 }) },
  } as unknown as ExecDeps;
  const command = { accountId: "a", id: "box", command: ["sleep", "9"], timeoutSeconds: 10 };
  assert.equal((await execInSandbox(deps, command, AbortSignal.abort())).exitCode, null);
});

test("a command whose engine goes away before its exit code is known says so", async () => {
  const pod = { id: "box", placement: { machine: "m", driver: "simulated" } };
  const cut: Execution = {
    ...printed,
    output: (async function* () {})(),
    exitCode: async () => {
      throw new DriverUnavailable("the engine does not respond");
    },
  };
  const driver = { name: "simulated", exec: async () => cut };
  const traffic = { watchInput: (_: string, execution: Execution) => execution };
  const deps = {
    clock: new VirtualClock(),
    localDrivers: { at: () => ({ looking: [driver], traffic }) },
    store: { write: async () => ({ pod, until: 1 }) },
  } as unknown as ExecDeps;
  const command = { accountId: "a", id: "box", command: ["echo"], timeoutSeconds: 10 };
  await assert.rejects(
    execInSandbox(deps, command, new AbortController().signal),
    (error) => error instanceof Fault && error.code === "worker_unreachable",
  );
});

const never = () => new Promise<never>(() => {});

for (const [what, hung, stdout] of [
  ["never starts", null, ""],
  [
    "never ends its output",
    {
      ...printed,
      output: (async function* () {
        yield { output: "stdout" as const, bytes: Buffer.from("hello") };
        await never();
      })(),
    },
    "hello",
  ],
] as const) {
  test(`a command is answered at its limit although its engine ${what}`, async () => {
    const pod = { id: "box", placement: { machine: "m", driver: "simulated" } };
    const clock = new VirtualClock();
    const starts = Promise.withResolvers<Execution>();
    let ends = 0;
    const end = async () => {
      ends++;
      return never();
    };
    if (hung) starts.resolve({ ...hung, end });
    const deps = {
      clock,
      localDrivers: { at: () => undefined },
      peers: { exec: () => starts.promise },
      store: { write: async () => ({ pod, until: 1 }) },
    } as unknown as ExecDeps;
    const command = { accountId: "a", id: "box", command: ["cat"], timeoutSeconds: 10 };
    const running = execInSandbox(deps, command, new AbortController().signal);
    await clock.advance(10_000);
    const result = await running;
    assert.deepEqual([result.stdout, result.exitCode], [stdout, null]);
    assert.equal(result.error, "the command was ended after 10 seconds");
    if (!hung) starts.resolve({ ...printed, end });
    await new Promise(setImmediate);
    assert.equal(ends, 1);
  });
}

test("a command whose engine never tells its exit code is not waited for", async () => {
  const pod = { id: "box", placement: { machine: "m", driver: "simulated" } };
  const clock = new VirtualClock();
  const silent: Execution = { ...printed, output: (async function* () {})(), exitCode: never };
  const deps = {
    clock,
    localDrivers: { at: () => undefined },
    peers: { exec: async () => silent },
    store: { write: async () => ({ pod, until: 1 }) },
  } as unknown as ExecDeps;
  const command = { accountId: "a", id: "box", command: ["true"], timeoutSeconds: 10 };
  const running = execInSandbox(deps, command, new AbortController().signal);
  const refusal = assert.rejects(running, { code: "worker_unreachable" });
  await clock.advance(10_000);
  await refusal;
});
