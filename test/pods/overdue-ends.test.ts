// Containers that do not end: they are billed until they do, and every place that explains them says so.

import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { until } from "../fixtures/until.ts";
import { podsOf, simulatedService } from "./fixture.ts";

const cpu = {
  computeType: "CPU",
  vcpuCount: 2,
  driver: "simulated",
  imageName: "i",
  volumeInGb: 0,
};

test("what does not end is billed until it has ended, and named until then", async (t) => {
  const service = await simulatedService(t, {
    protocol: { endGraceMs: 50, endingHoldMs: 20, endOverdueMs: 100, startupMs: 600_000 },
  });
  const get = async (path: string) => (await service.call("GET", path)).json;
  const spendPerHr = async () => (await get("/v1/balance")).spendPerHr as number;
  const driver = service.service.drivers.find(({ name }) => name === "simulated")!;
  const release = new AbortController();
  const released = once(release.signal, "abort");
  // Until it is released, an engine that ends nothing.
  driver.stop = async (id, graceMs) => {
    await released;
    Reflect.deleteProperty(driver, "stop");
    return driver.stop(id, graceMs);
  };
  t.after(() => release.abort());

  const rent = async () => (await service.call("POST", "/v1/pods", cpu)).json.id as string;
  const [stopped, restarted, deleted] = [await rent(), await rent(), await rent()];
  const endpoint = await service.makeEndpoint({
    template: { driver: "simulated", dockerStartCmd: ["simulated-worker"] },
    spec: { workersMin: 1, workersMax: 1 },
  });
  for (const id of [stopped, restarted, deleted]) await until(podsOf(service).reached, id);
  const worker: string = await until(async () => {
    const [first] = await get(`/v1/endpoints/${endpoint}/workers`);
    return first && (await get(`/v1/why/${first.id}`)).code === "worker_idle" && first.id;
  });
  const running = await spendPerHr();
  assert.ok(running > 0);

  await service.call("POST", `/v1/pods/${stopped}/stop`);
  await service.call("POST", `/v1/pods/${restarted}/restart`);
  assert.equal((await service.call("DELETE", `/v1/pods/${deleted}`)).status, 204);
  await service.call("PATCH", `/v1/endpoints/${endpoint}`, { workersMin: 0, workersMax: 0 });
  const becomes = (id: string, code: string) =>
    until(async () => {
      const answer = await get(`/v1/why/${id}`);
      return answer.code === code && answer;
    });
  const why = await becomes(stopped, "pod_not_ending");
  assert.match(why.sentence, /was stopped, but its container has not ended .* on machine /);
  assert.match(why.next, /restart its container engine/);
  await becomes(restarted, "pod_not_ending");
  await becomes(worker, "worker_not_ending");
  assert.equal(await spendPerHr(), running);
  const ids = [stopped, restarted, deleted, worker];
  await until(async () => {
    const [{ trouble = "" }] = await get("/v1/machines");
    return ids.every((id) => trouble.includes(id));
  });
  await until(async () =>
    (await get(`/v1/pods/${stopped}/logs`)).some(({ text }: { text: string }) =>
      text.includes("it is billed until it has ended"),
    ),
  );

  await service.call("POST", `/v1/pods/${restarted}/stop`);
  release.abort();
  await becomes(stopped, "pod_stopped");
  await until(async () => (await spendPerHr()) === 0);
  await until(async () => !("trouble" in (await get("/v1/machines"))[0]));
});

test("a Pod whose next container cannot be started is not billed, and its operator reads why", async (t) => {
  const service = await simulatedService(t);
  const get = async (path: string) => (await service.call("GET", path)).json;
  const { id } = (await service.call("POST", "/v1/pods", cpu)).json;
  await until(podsOf(service).reached, id);
  const driver = service.service.drivers.find(({ name }) => name === "simulated")!;
  driver.start = async () => {
    throw new Error("the engine of 10.0.0.7 has no more room");
  };
  await service.call("POST", `/v1/pods/${id}/restart`);
  const why = await until(async () => {
    const answer = await get(`/v1/why/${id}`);
    return answer.code === "pod_start_failing" && answer;
  });
  assert.match(why.sentence, /The engine says: the engine of 10\.0\.0\.7 has no more room\.$/);
  assert.equal((await get("/v1/balance")).spendPerHr, 0);
});
