// Fair shares: an account that floods a small machine with jobs cannot keep another account from it.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { createOtherAccount } from "../fixtures/service/other-account.ts";
import type { TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { simulatedService } from "../pods/fixture.ts";

/** Room for two workers on each machine; each replica has one. */
const env = { FREEHOLD_MACHINE: JSON.stringify({ vcpus: 4, memoryInGb: 64, diskInGb: 100 }) };
/** More than the workers finish between two looks at the queue. */
const QUEUED = 30;

/** An account's endpoint, created over the REST interface. */
async function endpointOf(service: TestService, headers: Record<string, string>, workersMin = 0) {
  const post = async (path: string, body: object) => {
    const { status, json, text } = await service.call("POST", path, body, headers);
    assert.equal(status, 200, text);
    return json.id as string;
  };
  const templateId = await post("/v1/templates", {
    name: "fair",
    imageName: "i",
    isServerless: true,
    driver: "simulated",
    dockerStartCmd: ["simulate", "--echo", "--job-ms", "200"],
  });
  const compute = { computeType: "CPU", vcpuCount: 2 };
  const limits = { workersMax: 10, workersMin, idleTimeout: 1, scalerType: "REQUEST_COUNT" };
  const id = await post("/v1/endpoints", {
    name: "fair",
    templateId,
    scalerValue: 1,
    ...compute,
    ...limits,
  });
  const run = () => post(`/v2/${id}/run`, { input: {} });
  const health = async () =>
    (await service.call("GET", `/v2/${id}/health`, undefined, headers)).json;
  const status = async (job: string) =>
    (await service.call("GET", `/v2/${id}/status/${job}`, undefined, headers)).json.status;
  const why = async (subject = id) =>
    (await service.call("GET", `/v1/why/${subject}`, undefined, headers)).json;
  return { id, run, health, status, why };
}

type AccountEndpoint = Awaited<ReturnType<typeof endpointOf>>;

/** Keeps jobs in the queue, so that its workers are never idle. Returns how many have completed. */
async function fillQueue({ health, run }: AccountEndpoint): Promise<number> {
  const { jobs } = await health();
  const missing = Math.max(0, QUEUED - jobs.inQueue);
  await Promise.all(Array.from({ length: missing }, () => run()));
  return jobs.completed;
}

async function floodedService(t: TestContext) {
  const service = await simulatedService(t, { env, protocol: { endingHoldMs: 20 } });
  const flood = await endpointOf(service, {});
  const other = await endpointOf(service, await createOtherAccount(service));
  const machines = (await service.call("GET", "/v1/machines")).json.length as number;
  const refill = () => fillQueue(flood);
  await until(async () => ((await refill()) > 0 ? true : null), "");
  await until(async () => {
    await refill();
    const { workers } = await flood.health();
    return workers.running + workers.idle === 2 * machines || null;
  }, "");
  return { flood, other, refill, machines };
}

const live = async (endpoint: AccountEndpoint) => {
  const { workers } = await endpoint.health();
  return (workers.running + workers.idle + workers.initializing) as number;
};

test("a job of another account gets a place while the flood goes on", async (t) => {
  const { flood, other, refill } = await floodedService(t);
  const job = await other.run();
  await until(async () => {
    await refill();
    return (await other.status(job)) === "COMPLETED" || null;
  }, "");
  assert.ok((await flood.health()).jobs.inQueue > 0, "the flood had ended");
});

test("both accounts flood, and each keeps half of the places", async (t) => {
  const { flood, other, refill, machines } = await floodedService(t);
  await until(async () => {
    await refill();
    if ((await fillQueue(other)) < 10) return null;
    // A worker that is being replaced counts twice, for a moment.
    return ((await live(flood)) === machines && (await live(other)) === machines) || null;
  }, "");
});

/** A worker between two jobs is idle for a moment, and then that is the answer. */
const untilWhy = (endpoint: AccountEndpoint, refill: () => Promise<unknown>, code: string) =>
  until(async () => {
    await refill();
    const why = await endpoint.why();
    return why.code === code ? why : null;
  }, code);

test("why says that an account with a smaller share comes first, and does not name it", async (t) => {
  const service = await simulatedService(t, { env, protocol: { endingHoldMs: 20 } });
  const machines = (await service.call("GET", "/v1/machines")).json.length as number;
  // Workers of workersMin are not handed over, so that the other account stays without a place.
  const flood = await endpointOf(service, {}, 10);
  await until(async () => (await live(flood)) === 2 * machines || null, "");
  const untilFull = (code: string) => untilWhy(flood, () => fillQueue(flood), code);
  await untilFull("no_capacity");
  const other = await endpointOf(service, await createOtherAccount(service));
  const job = await other.run();
  const vcpus = 4 * machines;
  const { sentence, evidence } = await untilFull("fair_share");
  assert.match(sentence, new RegExp(`uses ${vcpus} of ${vcpus} vCPUs, and 1 endpoint of accounts`));
  assert.deepEqual(evidence.share, {
    resource: "vcpus",
    held: vcpus,
    total: vcpus,
    endpointsAhead: [],
    othersAhead: 1,
  });
  assert.ok(!JSON.stringify({ sentence, evidence }).includes(other.id));
  assert.equal((await other.why(job)).code, "no_capacity");
});
