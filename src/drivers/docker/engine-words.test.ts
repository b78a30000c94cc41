// Tests with a simulated engine: what becomes of its words, what is learned of it, and which registries it is led to.

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { marksInMemory } from "../../../test/fixtures/docker/image-marks.ts";
import { piecesInMemory } from "../../../test/fixtures/docker/log-archive.ts";
import { until } from "../../../test/fixtures/until.ts";
import { type Clock, systemClock, VirtualClock } from "../../base/clock.ts";
import type { ReachRule } from "../../domain/webhook/address.ts";
import { StartRefused, type Workload } from "../driver.ts";
import { openDockerDriver } from "./docker-driver.ts";

type Answer = (request: IncomingMessage, body: string) => [status: number, body: unknown] | null;

/** The answers of an engine that has every image and no container; `special` comes first. */
async function engineThat(
  t: TestContext,
  special: Answer,
  registries: ReachRule = { anywhere: true, allow: [] },
  clock: Clock = systemClock,
) {
  const requests: string[] = [];
  let held: unknown = null;
  const server = createServer(async (request, response: ServerResponse) => {
    let body = "";
    for await (const piece of request) body += piece;
    const line = `${request.method} ${request.url?.replace(/^\/v[\d.]+/, "")}`;
    requests.push(line);
    if (line.includes("/events")) return void response.writeHead(200).flushHeaders();
    const [status, answer] = special(request, body) ?? (heldIn(line, held) || usual(line));
    if (line.includes("/containers/create")) held = JSON.parse(body);
    response.writeHead(status, { "content-type": "application/json" });
    response.end(`${JSON.stringify(answer)}\n`);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const driver = openDockerDriver({
    host: `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clock,
    owner: { installation: "test", machine: "test" },
    imageMarks: marksInMemory(),
    registries,
    resolve: async (host) => {
      const address = { "inside.example": "10.0.0.7", "outside.example": "8.8.8.8" }[host];
      if (!address) throw new Error("ENOTFOUND");
      return [
        { address: "8.8.4.4", family: 4 },
        { address, family: 4 },
      ];
    },
    logPieces: piecesInMemory(),
    publishOn: "127.0.0.1",
  });
  t.after(async () => {
    server.closeAllConnections();
    await driver.close();
    server.close();
  });
  return { driver, requests, disconnect: () => server.closeAllConnections() };
}

/** The inspection of a container that was created exactly as asked. */
function heldIn(line: string, created: unknown): [number, unknown] | null {
  if (created === null || !/GET \/containers\/c\/json/.test(line)) return null;
  const { HostConfig, ...Config } = created as { HostConfig: { NetworkMode: string } };
  const NetworkSettings = { Networks: { [HostConfig.NetworkMode]: {} } };
  return [200, { Id: "c", Config, HostConfig, NetworkSettings, Mounts: [] }];
}

function usual(line: string): [number, unknown] {
  if (/GET \/images\//.test(line)) return [200, { Id: "sha256:0", RepoTags: [] }];
  if (/GET \/networks\//.test(line)) return [200, { Id: "n" }];
  if (/GET \/containers\/json/.test(line)) return [200, []];
  return [404, { message: "no such object" }];
}

const workload: Workload = {
  id: "w",
  image: "acme/llm:1",
  entrypoint: [],
  command: [],
  env: { TOKEN: "the-secret-value" },
  secrets: ["the-secret-value", "the-password"],
};

async function refusalOf(start: Promise<void>): Promise<StartRefused> {
  const error = await start.catch((each) => each);
  assert.ok(error instanceof StartRefused, String(error));
  return error;
}

test("a secret that the engine repeats is in no error", async (t) => {
  const { driver } = await engineThat(t, ({ url }, body) => {
    if (!url?.includes("/containers/create")) return null;
    const { Env } = JSON.parse(body) as { Env: string[] };
    return [400, { message: `invalid variable ${JSON.stringify(Env)} ${"x".repeat(350)}` }];
  });
  const { message, engine } = await refusalOf(driver.start(workload));
  assert.match(message, /TOKEN=\[redacted\]/);
  assert.ok(!`${message} ${engine}`.includes("the-secret"), message);
});

test("a pull's failure is reported by its kind, and the engine's words are for the operator", async (t) => {
  const { driver } = await engineThat(t, ({ url, method }) => {
    if (method === "GET" && url?.includes("/images/")) return [404, { message: "no such image" }];
    if (!url?.includes("/images/create")) return null;
    const error = "error parsing HTTP 403 response body: internal page, the-password";
    return [200, { error, errorDetail: { message: error } }];
  });
  const lines: (string | null)[] = [];
  const auth = { username: "me", password: "the-password" };
  const start = driver.start({ ...workload, auth }, (line) => lines.push(line));
  const refusal = await refusalOf(start);
  assert.equal(refusal.why, "image_unauthorised");
  assert.ok(!`${refusal.message} ${lines.join(" ")}`.includes("internal"), refusal.message);
  assert.match(lines.at(-1)!, /pull failed/);
  assert.match(refusal.engine ?? "", /internal page, \[redacted\]/);
});

test("a variable with a NUL character is refused before the engine is asked", async (t) => {
  const { driver, requests } = await engineThat(t, () => null);
  const odd = { ...workload, env: { A: "the-secret-value\0" } };
  const { message } = await refusalOf(driver.start(odd));
  assert.match(message, /variable "A" .*NUL/);
  assert.ok(!requests.some((line) => line.includes("/containers/create")));
});

test("an engine without a free address range is a refusal with a cause, and its words apart", async (t) => {
  const words = "could not find an available, non-overlapping IPv4 address pool among the defaults";
  const { driver } = await engineThat(t, ({ method, url }) => {
    if (!url?.includes("/networks")) return null;
    return method === "POST" ? [500, { message: words }] : [404, { message: "no such network" }];
  });
  const refusal = await refusalOf(driver.start(workload));
  assert.equal(refusal.why, "no_address_range");
  assert.ok(!refusal.message.includes("non-overlapping"));
  assert.equal(refusal.engine, words);
});

test("limits that an engine refused are tried again once it has restarted", async (t) => {
  let cpus = 2;
  let refusesDiskLimit = true;
  const created: unknown[] = [];
  const special: Answer = ({ url }, body) => {
    if (url?.includes("/start")) return [204, null];
    if (!url?.includes("/containers/create")) return null;
    const { NanoCpus, StorageOpt } = JSON.parse(body).HostConfig;
    if (StorageOpt && refusesDiskLimit)
      return [500, { message: "--storage-opt is supported only for overlay over xfs" }];
    if (NanoCpus > cpus * 1e9)
      return [
        400,
        {
          message: `range of CPUs is from 0.01 to ${cpus}.00, as there are only ${cpus} CPUs available`,
        },
      ];
    created.push([NanoCpus / 1e9, StorageOpt?.size ?? null]);
    return [201, { Id: "c" }];
  };
  const clock = new VirtualClock();
  const anywhere = { anywhere: true, allow: [] };
  const { driver, disconnect } = await engineThat(t, special, anywhere, clock);
  let connects = 0;
  driver.onConnect(async () => void connects++);
  await until(() => connects === 1);
  const large = { ...workload, resources: { vcpu: 8, diskGb: 1 } };
  await driver.start(large);
  cpus = 8;
  refusesDiskLimit = false;
  await driver.start(large);
  disconnect();
  await until(async () => {
    await clock.advance(1_000);
    return connects === 2;
  });
  await driver.start(large);
  assert.deepEqual(created, [
    [2, null],
    [2, null],
    [8, "1G"],
  ]);
});

test("an engine that drops the GPUs is refused before the container starts, and keeps none", async (t) => {
  const { driver, requests } = await engineThat(t, ({ url, method }, body) => {
    if (url?.includes("/containers/create")) {
      const options = JSON.parse(body);
      devices = options.HostConfig.DeviceRequests[0].DeviceIDs;
      held = { ...options, HostConfig: { ...options.HostConfig, DeviceRequests: null } };
      return [201, { Id: "c" }];
    }
    if (method === "DELETE") return [204, null];
    return heldIn(`${method} ${url?.replace(/^\/v[\d.]+/, "")}`, held);
  });
  let [held, devices]: unknown[] = [];
  const resources = { gpuIndices: [0], gpuUuids: ["GPU-a"] };
  const refusal = await refusalOf(driver.start({ ...workload, resources }));
  assert.match(refusal.message, /dropped its GPUs$/);
  assert.deepEqual(devices, ["GPU-a"]);
  assert.ok(!requests.some((line) => line.includes("/start")));
  assert.ok(requests.some((line) => line.startsWith("DELETE /containers/c")));
});

const noImage: Answer = ({ method, url }) =>
  method === "GET" && url?.includes("/images/") ? [404, { message: "no such image" }] : null;

for (const [registry, why, allow] of [
  ["169.254.169.254", "registry_refused", []],
  ["127.0.0.1:5000", "registry_refused", []],
  ["inside.example:5000", "registry_refused", []],
  ["INSIDE.example", "registry_refused", []],
  ["unknown.example", "registry_away", []],
  ["localhost", "registry_away", []],
  ["127.1:80", "registry_away", []],
  ["outside.example", null, []],
  ["docker.io", null, []],
  ["inside.example:5000", null, ["inside.example"]],
] as const) {
  const allowed = allow.length > 0 ? ", which is allowed," : "";
  test(`an image of ${registry}${allowed} is ${why ?? "pulled"}`, async (t) => {
    const rule = { anywhere: false, allow };
    const { driver, requests } = await engineThat(t, noImage, rule);
    const refusal = await refusalOf(driver.start({ ...workload, image: `${registry}/a/b:1` }));
    const pulls = requests.filter((line) => line.includes("/images/create"));
    assert.deepEqual([pulls.length > 0, refusal.why], [why === null, why ?? "image_not_found"]);
    assert.ok(!refusal.message.includes("10.0.0.7"), refusal.message);
  });
}
