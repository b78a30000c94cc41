// What callers of the loopback listener may do without a key, and what ends that.

import assert from "node:assert/strict";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { readConfig } from "../../src/config/config.ts";
import { containersServer } from "../../src/edge/http/server.ts";
import { addCleanup } from "../fixtures/cleanup.ts";
import { createOtherAccount } from "../fixtures/service/other-account.ts";
import { startService, type TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";

const FORWARDED = { "x-forwarded-for": "203.0.113.7" };

async function scrapeStatus({ origin }: TestService, headers: Record<string, string> = {}) {
  const answer = await fetch(`${origin}/metrics`, { headers });
  await answer.text();
  return answer.status;
}

test("a caller on this machine reads the metrics without a key", async (t) => {
  const service = await startService(t, { replicas: null });
  assert.equal(await scrapeStatus(service), 200);
  const { port } = new URL(service.origin);
  const hosts: [host: string, status: number][] = [
    [`localhost:${port}`, 200],
    ["LOCALHOST", 200],
    [`[::1]:${port}`, 200],
    ["127.8.9.10", 200],
    // A page whose own name leads to loopback.
    [`rebound.example.org:${port}`, 401],
    ["localhost.example.org", 401],
    ["127.0.0.1.example.org", 401],
  ];
  for (const [host, status] of hosts) {
    assert.equal(await statusFor(service, host), status, host);
  }
});

/** `fetch` sets the host itself. */
function statusFor({ origin }: TestService, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = { headers: { host } };
    request(`${origin}/metrics`, options, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    })
      .on("error", reject)
      .end();
  });
}

for (const [what, env] of [
  ["a public URL", { FREEHOLD_PUBLIC_URL: "https://cloud.example.org" }],
  ["a proxy domain", { FREEHOLD_PROXY_DOMAIN: "pods.example.org" }],
] as const) {
  test(`${what} ends the trust in loopback`, async (t) => {
    assert.equal(await scrapeStatus(await startService(t, { env, replicas: null })), 401);
    assert.deepEqual(readConfig({}, { ...env }, "/nowhere").drivers, ["docker"]);
    assert.deepEqual(readConfig({}, {}, "/nowhere").drivers, ["docker", "process", "simulated"]);
  });
}

test("a second account ends the trust in loopback", async (t) => {
  const service = await startService(t, { replicas: null });
  await createOtherAccount(service);
  assert.equal(await scrapeStatus(service), 401);
});

test("a forwarded request ends the trust in loopback, also after a restart", async (t) => {
  const service = await startService(t, { replicas: null });
  const receiver = await receive(t);
  const deliver = async () => {
    const endpoint = await service.makeEndpoint();
    const body = { input: {}, webhook: receiver.url };
    const { json: job } = await service.call("POST", `/v2/${endpoint}/run`, body);
    await service.call("POST", `/v2/${endpoint}/cancel/${job.id}`);
    return until(async () => {
      const { json } = await service.call("GET", `/v1/jobs/${job.id}`);
      return json.deliveries[0]?.tries[0];
    });
  };
  assert.equal((await deliver()).status, 200);

  assert.equal(await scrapeStatus(service, FORWARDED), 401);
  assert.equal(await scrapeStatus(service), 401);
  const refused = await deliver();
  assert.match(refused.error, /FREEHOLD_WEBHOOK_ALLOW/);
  assert.equal(receiver.received(), 1);

  await service.stop();
  const { dataFolder } = service;
  assert.equal(await scrapeStatus(await startService(t, { dataFolder, replicas: null })), 401);
});

test("a container's headers end no trust", async (t) => {
  const service = await startService(t, { replicas: null });
  const { app, proxying } = service.service;
  const server = containersServer(app, proxying.listeners);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  addCleanup(t, () => void server.close());
  const { port } = server.address() as AddressInfo;
  for (const name of ["x-forwarded-for", "x-forwarded-proto", "x-real-ip", "forwarded"]) {
    for (const path of ["/ready", "/v2/none/health", "/metrics"]) {
      const headers = { [name]: "203.0.113.7", connection: "close" };
      await (await fetch(`http://127.0.0.1:${port}${path}`, { headers })).text();
    }
  }
  assert.equal(await scrapeStatus(service), 200);
});

test("a forwarded request ends the default driver for processes", async (t) => {
  const service = await startService(t, { replicas: null, drivers: "" });
  const drivers = async () => (await service.call("GET", "/v1/machines")).json[0].drivers;
  assert.ok((await drivers()).includes("process"));
  await scrapeStatus(service, FORWARDED);
  await until(async () => !(await drivers()).includes("process"));
  const pod = { driver: "process", imageName: "i", dockerStartCmd: ["true"], computeType: "CPU" };
  const answer = await service.call("POST", "/v1/pods", pod);
  assert.equal(answer.status, 400, answer.text);
});

async function receive(t: TestContext) {
  let received = 0;
  const server = createServer((_request, response) => {
    received++;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  addCleanup(t, () => server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, received: () => received };
}
