import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { it } from "node:test";
import { systemClock, VirtualClock } from "../../base/clock.ts";
import { StartRefused } from "../driver.ts";
import { driverLaws } from "../driver-laws.ts";
import type { Conduct } from "../law-bench.ts";
import { argumentOf, type Behaviour, TRAITS, wellBehaved } from "./behaviour.ts";
import { openFakeDriver } from "./fake-driver.ts";
import { addJobs, worker } from "./fake-stage.ts";
import type { Orders } from "./fake-worker.ts";
import { QueueDouble, workerEnv } from "./queue-double.ts";

const CONDUCT: Record<Conduct, string[]> = {
  runs: [],
  "ends with 3": ["fake-worker", "--exit-after-ms", "50", "--exit-code", "3"],
  "ignores SIGTERM": ["fake-worker", "--ignore-stop"],
};

driverLaws("fake", async () => {
  const clock = new VirtualClock();
  const queue = new QueueDouble(clock);
  const driver = openFakeDriver({ clock, transport: queue.transport });
  return {
    driver,
    workload: (id, conduct) => ({
      id,
      image: "x",
      entrypoint: [],
      command: CONDUCT[conduct],
      env: workerEnv(id),
    }),
    async settle(promise) {
      let settled = false;
      const note = () => {
        settled = true;
      };
      promise.then(note, note);
      for (let turn = 0; turn < 100 && !settled; turn++) await clock.advance(10);
      assert.ok(settled, "it settles within a second");
      return promise;
    },
    wait: () => clock.advance(10),
    dispose: () => driver.close(),
  };
});

worker("can be told to end at once, with a code or by a signal", [], 0, async ({ driver, see }) => {
  driver.tell("w1", { exitNow: 4 });
  assert.deepEqual([(await see()).exitCode, (await see()).signal], [4, null]);
  await driver.start({ id: "w1", image: "", entrypoint: [], command: [], env: {} });
  driver.tell("w1", { killNow: "SIGSEGV" });
  assert.deepEqual([(await see()).exitCode, (await see()).signal], [null, "SIGSEGV"]);
  assert.throws(() => driver.tell("w9", {}), /w9/);
});

worker(
  "can be told to behave otherwise between two jobs",
  [],
  1,
  async ({ clock, queue, driver }) => {
    await clock.advance(100);
    const orders: Orders = { echo: true, jobMs: 200 } satisfies Partial<Behaviour>;
    driver.tell("w1", orders);
    addJobs(queue, 2, 2);
    await clock.advance(1000);
    assert.deepEqual(queue.results().j2, [{ output: { n: 2 } }]);
  },
);

it("what runs no worker has no address to call, and just runs", async () => {
  const clock = new VirtualClock();
  const queue = new QueueDouble(clock);
  const { transport } = queue;
  const driver = openFakeDriver({
    clock,
    transport,
    behaviour: { exitAfterMs: 90_000, exitCode: 0 },
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
  assert.equal(queue.seen.length, 0);
});

it("a wrong argument is refused by name, and nothing is started", async () => {
  const driver = openFakeDriver({ clock: new VirtualClock() });
  for (const [args, sentence] of [
    [["--job-sm", "5"], /"--job-sm" is no argument/],
    [["--job-ms"], /--job-ms takes a value, not nothing/],
    [["--job-ms", "-5"], /--job-ms takes a whole number from 0, not "-5"/],
    [["--job-ms", "1e3"], /--job-ms/],
    [["--concurrency", "0"], /--concurrency takes a whole number from 1/],
    [["--exit-code", "256"], /--exit-code .* to 255/],
    [["--malformed-as", "xml"], /--malformed-as takes one of text, null/],
    [["--echo", "--fail-every", "many"], /--fail-every/],
    [["extra"], /"extra" is no argument/],
  ] as const) {
    await assert.rejects(
      driver.start({
        id: "w1",
        image: "",
        entrypoint: [],
        command: ["fake-worker", ...args],
        env: {},
      }),
      (error) => error instanceof StartRefused && sentence.test(error.message),
    );
  }
  assert.deepEqual(await driver.list(), []);
});

it("without a transport it calls over HTTP", async () => {
  let taken = false;
  const posted = Promise.withResolvers<string>();
  const server = createServer((request, response) => {
    const { url = "", headers } = request;
    assert.equal(headers.authorization, "key-of-w1");
    response.setHeader("content-type", "application/json");
    if (url.includes("/job-done/")) request.on("data", (data) => posted.resolve(`${url} ${data}`));
    const offers = url.includes("/job-take/") && !taken;
    if (offers) taken = true;
    response.end(offers ? '{"id":"j1","input":{"text":"é=&%🙂"}}' : "{}");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const driver = openFakeDriver({ clock: systemClock, behaviour: { echo: true } });
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

it("the page about it shows every argument as it is", () => {
  const page = readFileSync(new URL("../../../docs/fake-driver.md", import.meta.url), "utf8");
  const shown = page.split("\n").filter((line) => line.startsWith("| `--"));
  const names = Object.keys(wellBehaved) as (keyof Behaviour)[];
  const rows = names.map((name) => {
    const { takes, usual, does } = TRAITS[name];
    const value = takes === "nothing" ? "" : ` <${[takes].flat().join("/")}>`;
    const without = takes === "nothing" || usual === null ? "" : ` ${usual}`;
    return `| \`${argumentOf(name)}${value}\` |${without} | ${does} |`;
  });
  assert.deepEqual(shown, rows);
});
