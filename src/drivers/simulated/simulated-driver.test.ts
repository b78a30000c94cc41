// Tests of the simulated driver: the rules of every driver, control of running workers, and arguments.
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { it } from "node:test";
import { driverConformance } from "../../../test/conformance/drivers/driver-conformance.ts";
import type { WorkloadKind } from "../../../test/conformance/drivers/driver-harness.ts";
import { freePort } from "../../../test/fixtures/free-port.ts";
import { QueueDouble, workerEnv } from "../../../test/fixtures/simulated-driver/queue-double.ts";
import { addJobs, workerTest } from "../../../test/fixtures/simulated-driver/worker-fixture.ts";
import { until } from "../../../test/fixtures/until.ts";
import { type Clock, systemClock, VirtualClock } from "../../base/clock.ts";
import { StartAborted, StartRefused } from "../driver.ts";
import { argumentOf, type Behavior, defaultBehavior, TRAITS } from "./rules/behavior.ts";
import { openSimulatedDriver } from "./simulated-driver.ts";
import type { WorkerControl } from "./worker/worker.ts";

const COMMANDS: Record<WorkloadKind, string[]> = {
  runs: [],
  "ends with 3": ["simulate", "--exit-after-ms", "50", "--exit-code", "3"],
  "ignores SIGTERM": ["simulate", "--ignore-stop"],
};

driverConformance("simulated", async () => {
  const clock = new VirtualClock();
  const queue = new QueueDouble(clock);
  const driver = openSimulatedDriver({ clock, transport: queue.transport });
  return {
    driver,
    workload: (id, conduct) => ({
      id,
      image: "x",
      entrypoint: [],
      command: COMMANDS[conduct],
      env: workerEnv(id),
    }),
    async settle(promise) {
      let isSettled = false;
      const settle = () => {
        isSettled = true;
      };
      promise.then(settle, settle);
      for (let step = 0; step < 100 && !isSettled; step++) await clock.advance(10);
      assert.ok(isSettled, "it settles within a second");
      return promise;
    },
    wait: () => clock.advance(10),
    dispose: () => driver.close(),
  };
});

it("a pull takes its time, is reported, and ends with a stop", async () => {
  const clock = new VirtualClock();
  const driver = openSimulatedDriver({ clock });
  const pulls = (id: string) => ({
    id,
    image: "x",
    entrypoint: [],
    env: {},
    command: ["simulate", "--pull-ms", "1000"],
  });
  const steps: unknown[] = [];
  const started = driver.start(pulls("w1"), (_, step) => steps.push([step, clock.now()]));
  const from = clock.now();
  assert.deepEqual(await driver.list(), []);
  await clock.advance(1_000);
  await started;
  assert.deepEqual(steps, [
    ["image_pulling", from],
    ["image_pulled", from + 1_000],
  ]);
  assert.equal((await driver.list())[0]?.startedAt, from + 1_000);
  const stopped = driver.start(pulls("w2"));
  await driver.stop("w2", 0);
  await assert.rejects(stopped, StartAborted);
  await driver.close();
});

workerTest(
  "can be ended at once, with a code or by a signal",
  [],
  0,
  async ({ driver, observe: see }) => {
    driver.control("w1", { exitNow: 4 });
    assert.deepEqual([(await see()).exitCode, (await see()).signal], [4, null]);
    await driver.start({ id: "w1", image: "", entrypoint: [], command: [], env: {} });
    driver.control("w1", { killNow: "SIGSEGV" });
    assert.deepEqual([(await see()).exitCode, (await see()).signal], [null, "SIGSEGV"]);
    assert.throws(() => driver.control("w9", {}), /w9/);
  },
);

workerTest("changes its behavior between two jobs", [], 1, async ({ clock, queue, driver }) => {
  await clock.advance(100);
  const command: WorkerControl = { echo: true, jobMs: 200 } satisfies Partial<Behavior>;
  driver.control("w1", command);
  addJobs(queue, 2, 2);
  await clock.advance(1000);
  assert.deepEqual(queue.results().j2, [{ output: { n: 2 } }]);
});

it("a workload without a take address makes no calls and runs until it ends", async () => {
  const clock = new VirtualClock();
  const queue = new QueueDouble(clock);
  const { transport } = queue;
  const driver = openSimulatedDriver({
    clock,
    transport,
    behavior: { exitAfterMs: 90_000, exitCode: 0 },
  });
  await driver.start({
    id: "pod1",
    image: "postgres:18",
    entrypoint: [],
    command: ["postgres"],
    env: {},
  });
  await clock.advance(60_000);
  assert.equal((await driver.list())[0]?.state, "running");
  await clock.advance(60_000);
  assert.equal((await driver.list())[0]?.exitCode, 0);
  assert.equal(queue.received.length, 0);
});

it("a public port sends back what it receives until its workload ends, and is never that of another program", async () => {
  const driver = openSimulatedDriver({ clock: new VirtualClock() });
  const hostPort = await freePort();
  const start = (id: string) => {
    const port = { container: 5_432, protocol: "tcp" as const, hostPort };
    return driver.start({ id, image: "x", entrypoint: [], command: [], env: {}, ports: [port] });
  };
  await start("w1");
  for (const connection of [connect(hostPort, "127.0.0.1"), await driver.dial("w1", 5_432)]) {
    connection.write("hello");
    let text = "";
    for await (const piece of connection.iterator({ destroyOnReturn: false })) {
      text += piece;
      if (text.endsWith("hello")) break;
    }
    assert.equal(text, "Port 5432 of Pod w1 is simulated: it sends back what it receives.\nhello");
    connection.destroy();
  }
  const isRefused = (error: unknown) =>
    error instanceof StartRefused && error.why === "port_taken" && /:\d+$/.test(error.message);
  await assert.rejects(start("w2"), isRefused);
  assert.deepEqual(
    (await driver.list()).map(({ id }) => id),
    ["w1"],
  );
  const open = connect(hostPort, "127.0.0.1");
  await once(open, "data");
  const closed = once(open, "close");
  await driver.stop("w1", 0);
  await closed;
  await start("w2");
  await driver.close();
  // A start that was under way when the service stopped opens nothing.
  await assert.rejects(start("w3"), StartAborted);
  await assert.rejects(once(connect(hostPort, "127.0.0.1"), "connect"), /ECONNREFUSED/);
});

it("a client that disconnects ends the pauses of its request", async () => {
  const inner = new VirtualClock();
  let timers = 0;
  const clock: Clock = {
    now: () => inner.now(),
    ticks: () => inner.ticks(),
    after(delayMs, callback) {
      const timer = inner.after(delayMs, callback);
      timers += 1;
      return () => {
        timers -= 1;
        timer();
      };
    },
  };
  const driver = openSimulatedDriver({ clock, behavior: { jobMs: 0 } });
  const image = "vllm/vllm-openai";
  await driver.start({ id: "w1", image, entrypoint: [], command: [], env: {}, httpPorts: [8_000] });
  const timersBefore = timers;
  const isPausing = async () => (timers > timersBefore ? true : null);
  for (const stream of [false, true]) {
    const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "x" }], stream });
    const client = await driver.dial("w1", 8_000);
    client.resume();
    const head = `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}`;
    client.write(`${head}\r\n\r\n${body}`);
    await until(isPausing);
    client.destroy();
    await until(async () => ((await isPausing()) ? null : true));
  }
  await driver.close();
});

it("a wrong argument is refused by name and starts nothing", async () => {
  const driver = openSimulatedDriver({ clock: new VirtualClock() });
  for (const [args, sentence] of [
    [["--job-sm", "5"], /"--job-sm" is not an argument/],
    [["--job-ms"], /--job-ms takes a value, not nothing/],
    [["--job-ms", "-5"], /--job-ms takes a whole number from 0, not "-5"/],
    [["--job-ms", "1e3"], /--job-ms/],
    [["--concurrency", "0"], /--concurrency takes a whole number from 1/],
    [["--exit-code", "256"], /--exit-code .* to 255/],
    [["--malformed-as", "xml"], /--malformed-as takes one of text, null/],
    [["--echo", "--fail-every", "many"], /--fail-every/],
    [["extra"], /"extra" is not an argument/],
  ] as const) {
    await assert.rejects(
      driver.start({
        id: "w1",
        image: "",
        entrypoint: [],
        command: ["simulate", ...args],
        env: {},
      }),
      (error) => error instanceof StartRefused && sentence.test(error.message),
    );
  }
  assert.deepEqual(await driver.list(), []);
});

it("without a transport it calls over HTTP", async () => {
  let isTaken = false;
  const posted = Promise.withResolvers<string>();
  const server = createServer((request, response) => {
    const { url = "", headers } = request;
    assert.equal(headers.authorization, "key-of-w1");
    response.setHeader("content-type", "application/json");
    if (url.includes("/job-done/")) request.on("data", (data) => posted.resolve(`${url} ${data}`));
    const offersJob = url.includes("/job-take/") && !isTaken;
    if (offersJob) isTaken = true;
    response.end(offersJob ? '{"id":"j1","input":{"text":"é=&%🙂"}}' : "{}");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const driver = openSimulatedDriver({ clock: systemClock, behavior: { echo: true } });
  try {
    const { port } = server.address() as AddressInfo;
    const local = (url: string) => url.replace("queue.test", `127.0.0.1:${port}`);
    const env = Object.entries(workerEnv("w1")).map(([name, value]) => [name, local(value)]);
    await driver.start({
      id: "w1",
      image: "",
      entrypoint: [],
      command: [],
      env: Object.fromEntries(env),
    });
    assert.equal(
      await posted.promise,
      '/v2/ep/job-done/w1/j1?gpu=none&isStream=false {"output":{"text":"é=&%🙂"}}',
    );
  } finally {
    await driver.close();
    server.closeAllConnections();
    server.close();
  }
});

it("docs/simulated-driver.md shows every argument", () => {
  const page = readFileSync(new URL("../../../docs/simulated-driver.md", import.meta.url), "utf8");
  const documented = page.split("\n").filter((line) => line.startsWith("| `--"));
  const names = Object.keys(defaultBehavior) as (keyof Behavior)[];
  const rows = names.map((name) => {
    const { takes, default: value, description } = TRAITS[name];
    const placeholder = takes === "nothing" ? "" : ` <${[takes].flat().join("/")}>`;
    const shownDefault = takes === "nothing" || value === null ? "" : ` ${value}`;
    return `| \`${argumentOf(name)}${placeholder}\` |${shownDefault} | ${description} |`;
  });
  assert.deepEqual(documented, rows);
});
