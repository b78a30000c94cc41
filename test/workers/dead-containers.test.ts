// The containers that dead workers leave on their machine.

import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../src/base/clock.ts";
import { startService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";

test("a crash loop leaves at most five containers, and none once its endpoint is deleted", async (t) => {
  const clock = new VirtualClock(Date.now());
  const service = await startService(t, { clock, replicas: null });
  const driver = service.service.drivers.find(({ name }) => name === "simulated")!;
  const endpoint = await service.makeEndpoint({
    template: { driver: "simulated", dockerStartCmd: ["simulate", "--crash-at-start"] },
    spec: { workersMin: 1, workersMax: 1 },
  });
  const deadIds = new Set<string>();
  const containers = async () => {
    const ended = (await driver.list()).filter(({ state }) => state === "ended");
    for (const { id } of ended) deadIds.add(id);
    return ended.length;
  };
  await until(async () => {
    await clock.advance(1_000);
    await containers();
    return deadIds.size >= 8;
  });
  await until(async () => {
    await clock.advance(1_000);
    return (await containers()) <= 5;
  });
  assert.equal((await service.call("DELETE", `/v1/endpoints/${endpoint}`)).status, 204);
  await until(async () => {
    await clock.advance(10_000);
    return (await containers()) === 0;
  });
});
