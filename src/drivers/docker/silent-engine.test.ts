// Tests with an engine that accepts connections and falls silent: every call ends, and says so.

import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { marksInMemory } from "../../../test/fixtures/docker/image-marks.ts";
import { piecesInMemory } from "../../../test/fixtures/docker/log-archive.ts";
import { until } from "../../../test/fixtures/until.ts";
import { VirtualClock } from "../../base/clock.ts";
import { DriverUnavailable, StartAborted, type Workload } from "../driver.ts";
import { openDockerDriver } from "./docker-driver.ts";

const STREAM = Symbol("a stream that stays open");

/** An engine with one running container and every image but `absent`, silent where `isSilent` says so. */
async function engineThat(
  t: TestContext,
  isSilent: (line: string) => boolean | Promise<boolean>,
  version: unknown = {},
) {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-silent-"));
  const requests: string[] = [];
  /** The requests whose answer ended or whose connection closed. */
  const closed: string[] = [];
  let created: unknown = null;
  const server = createServer(async (request, response: ServerResponse) => {
    const line = `${request.method} ${request.url?.replace(/^\/v[\d.]+/, "")}`;
    requests.push(line);
    response.once("close", () => closed.push(line));
    if (await isSilent(line)) return;
    let body = "";
    for await (const piece of request) body += piece;
    if (line.includes("/containers/create")) created = JSON.parse(body);
    const [status, answer] = line.endsWith("/version") ? [200, version] : answerTo(line, created);
    response.writeHead(status, { "content-type": "application/json" });
    if (answer === STREAM) return void response.flushHeaders();
    response.end(`${JSON.stringify(answer)}\n`);
  });
  const host = path.join(folder, "engine.sock");
  await once(server.listen(host), "listening");
  const clock = new VirtualClock();
  const driver = openDockerDriver({
    host: `unix://${host}`,
    clock,
    owner: { installation: "test", machine: "test" },
    imageMarks: marksInMemory(),
    registries: { anywhere: true, allow: [] },
    logPieces: piecesInMemory(),
    publishOn: "127.0.0.1",
  });
  t.after(async () => {
    await driver.close();
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  });
  const connections = () =>
    new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));
  return { driver, clock, requests, closed, connections };
}

function answerTo(line: string, created: unknown): [number, unknown] {
  if (/GET \/(events|containers\/[^/]+\/logs)/.test(line)) return [200, STREAM];
  if (/GET \/(images\/(?!.*absent)|networks\/|volumes\/)/.test(line))
    return [200, { Id: "n", RepoTags: [] }];
  if (/GET \/containers\/json/.test(line)) return [200, []];
  if (/\/containers\/create/.test(line)) return [201, { Id: "c" }];
  if (/POST .*\/exec/.test(line)) return [201, { Id: "e" }];
  if (/GET \/containers\/running\/json|GET .*-running\/json/.test(line)) return [200, running];
  if (/GET \/containers\/c\/json/.test(line)) return [200, heldAs(created)];
  if (/GET .*-broken\/json/.test(line)) return [200, { ...running, Id: "b", Name: "/broken" }];
  if (/\/containers\/b\/kill/.test(line)) return [500, { message: "the shim is gone" }];
  if (/DELETE|\/start|\/kill|archive/.test(line)) return [204, null];
  if (/_ping|version/.test(line)) return [200, {}];
  return [404, { message: "no such object" }];
}

const podman = { Components: [{ Name: "Podman Engine" }] };

const running = {
  Id: "r",
  Name: "/running",
  State: { Status: "running", Running: true },
  Config: { Labels: { "freehold.installation": "test", "freehold.machine": "test" } },
  NetworkSettings: { Networks: {} },
};

/** The inspection of a container that was created exactly as asked. */
function heldAs(created: unknown): unknown {
  const { HostConfig, ...Config } = created as { HostConfig: { NetworkMode: string } };
  const NetworkSettings = { Networks: { [HostConfig.NetworkMode]: {} } };
  return { Id: "c", Config, HostConfig, NetworkSettings, Mounts: [] };
}

const workload: Workload = { id: "w", image: "acme/llm:1", entrypoint: [], command: [], env: {} };
const withFiles: Workload = { ...workload, files: [{ path: "/a", content: "text" }] };
const command = { command: ["true"], tty: null };

/** Moves time until the promise rejects. */
async function errorOf(clock: VirtualClock, promise: Promise<unknown>, stepMs = 5_000) {
  const error = promise.then(
    () => new Error("it succeeded"),
    (each: Error) => each,
  );
  let isSettled = false;
  void error.then(() => {
    isSettled = true;
  });
  await until(async () => {
    await clock.advance(stepMs);
    return isSettled;
  });
  return error;
}

function assertUnavailable(error: unknown): void {
  assert.ok(error instanceof DriverUnavailable, String(error));
  assert.match(error.message, /^The container engine at unix:.* does not respond: no response/);
}

test("an engine that says nothing fails every call, and keeps no connection", async (t) => {
  const { driver, clock, connections } = await engineThat(t, () => true);
  assertUnavailable(await errorOf(clock, driver.list()));
  await clock.advance(20_000); // a ping is too late as well
  const began = clock.ticks();
  assertUnavailable(await errorOf(clock, driver.list(), 500));
  assert.ok(clock.ticks() - began <= 3_000, "the second call has a shorter limit");
  for (const call of [
    () => driver.list(),
    () => driver.start(workload),
    () => driver.stop("running", 0),
    () => driver.logs("running", 10),
    () => driver.exec("running", command),
    () => driver.quota(),
    () => driver.wipe("running"),
    () => driver.remove("running"),
    () => driver.removeVolume({ kind: "pod", name: "v" }),
    () => driver.removeNetwork("n"),
    () => driver.dial("running", 80),
    () => driver.removeOwn(),
  ]) {
    assertUnavailable(await errorOf(clock, call()));
  }
  // Nothing but the wait for events, which is asked again and again.
  await until(async () => (await connections()) <= 2);
});

test("a call that is late takes no time from pings and from calls with a long limit", async (t) => {
  const { driver, clock } = await engineThat(t, (line) => /_ping|events|stuck|wait/.test(line));
  const { engine } = driver;
  const failures: unknown[] = [];
  const begin = (call: Promise<unknown>) => void call.catch((error) => failures.push(error));
  const inspect = (withinMs?: number) =>
    engine.callWithin((docker) => docker.getContainer("stuck").inspect(), withinMs);
  begin(engine.callWhileAlive((docker) => docker.getContainer("running").wait()));
  assertUnavailable(await errorOf(clock, inspect(1_000), 500));
  begin(engine.isReachable().then((isReachable) => assert.ok(isReachable)));
  await clock.advance(3_000);
  assert.equal(failures.length, 1, "only the ping with the short limit is over");
  begin(inspect());
  begin(inspect(40_000));
  await clock.advance(10_000);
  assert.equal(failures.length, 1, "all others have their time");
  await clock.advance(20_000);
  assert.equal(failures.length, 3, "the ping beside the long call was too late");
  begin(inspect(40_000));
  await clock.advance(30_000);
  assert.equal(failures.length, 4, "the silence has no effect on the last call");
});

for (const [step, silent, start] of [
  ["a container's creation", /POST \/containers\/create/, workload],
  ["a container's start", /POST \/containers\/c\/start/, workload],
  ["the files of a container", /PUT .*archive/, withFiles],
] as const) {
  test(`an engine that falls silent in ${step} fails the start`, async (t) => {
    let isSilent = false;
    const { driver, clock } = await engineThat(t, (line) => {
      isSilent ||= silent.test(line);
      return isSilent;
    });
    assertUnavailable(await errorOf(clock, driver.start(start)));
  });

  test(`an engine that answers all but ${step} fails the start after a longer time`, async (t) => {
    const { driver, clock } = await engineThat(t, (line) => silent.test(line));
    const began = clock.ticks();
    const error = await errorOf(clock, driver.start(start), 30_000);
    assert.match(String(error), /engine answers, and did not finish in \d+ s/);
    assert.ok(clock.ticks() - began >= 600_000);
  });
}

test("a Podman that answers all but reads of its networks fails the start as soon as a Docker would", async (t) => {
  const { driver, clock } = await engineThat(t, (line) => line.includes("/libpod/"), podman);
  const began = clock.ticks();
  assertUnavailable(await errorOf(clock, driver.start(workload)));
  assert.ok(clock.ticks() - began <= 60_000);
});

test("an end that takes long is waited for while the engine lives, and no longer", async (t) => {
  let isSilent = false;
  const { driver, clock, requests } = await engineThat(
    t,
    (line) => isSilent || line.includes("/wait"),
  );
  const stop = driver.stop("running", 1_000);
  stop.catch(() => {});
  await until(async () => {
    await clock.advance(1_000);
    return requests.filter((line) => line.includes("/kill")).length === 2;
  });
  const pings = () => requests.filter((line) => line.includes("_ping")).length;
  await until(async () => {
    await clock.advance(10_000);
    return pings() > 10;
  });
  isSilent = true;
  assertUnavailable(await errorOf(clock, stop));
});

test("a stop ends a start that has not come to its image yet", async (t) => {
  const answer = Promise.withResolvers<boolean>();
  const { driver, requests } = await engineThat(t, (line) => {
    if (line.includes("-w/json")) return answer.promise;
    return line.includes("/images/create");
  });
  const start = driver.start({ ...workload, image: "acme/absent:1" });
  const aborted = assert.rejects(start, StartAborted);
  await until(() => requests.some((line) => line.includes("-w/json")));
  const stop = driver.stop("w", 0);
  answer.resolve(false);
  await Promise.all([aborted, stop]);
});

test("a stop that fails waits for no end any longer", async (t) => {
  const { driver, closed } = await engineThat(t, (line) => line.includes("/wait"));
  await assert.rejects(driver.stop("broken", 1_000), /the shim is gone/);
  await until(() => closed.some((line) => line.includes("/wait")));
});

test("a log that stands still in the middle ends with its engine", async (t) => {
  let isSilent = false;
  const { driver, clock, requests } = await engineThat(t, () => isSilent);
  const logs = driver.logs("running", 10);
  logs.catch(() => {});
  await until(() => requests.some((line) => line.includes("/logs")));
  isSilent = true;
  assertUnavailable(await errorOf(clock, logs));
});

test("events are asked for again after a silence, though their connection stayed open", async (t) => {
  let isSilent = false;
  const { driver, clock, requests } = await engineThat(t, () => isSilent);
  let [connects, others] = [0, 0];
  driver.onConnect(async () => void connects++);
  // Containers reach the service through one gateway, and hosted addresses through another.
  driver.onConnect(async () => void others++);
  await until(() => connects === 1 && others === 1);
  isSilent = true;
  const eventRequests = () => requests.filter((line) => line.includes("/events")).length;
  const before = eventRequests();
  await until(async () => {
    await clock.advance(5_000);
    return eventRequests() > before;
  });
  isSilent = false;
  await until(async () => {
    await clock.advance(5_000);
    return connects === 2 && others === 2;
  });
});
