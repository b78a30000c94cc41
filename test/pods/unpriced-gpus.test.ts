// Real GPUs that the catalog does not have, and one whose price the operator's file sets.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { newDataFolder } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { simulatedService } from "./fixture.ts";

test("a GPU is rented by its own name at the operator's price, and one without a price is a notice", async (t) => {
  const dataFolder = newDataFolder();
  const gpus = [
    { name: "AMD Instinct MI210", memoryMb: 65_520 },
    { name: "AMD Radeon PRO W7900", memoryMb: 46_064 },
  ];
  writeFileSync(path.join(dataFolder, "freehold.gpus.json"), JSON.stringify({ gpus }));
  const prices = { securePrice: 0.5, communityPrice: 0.4 };
  const spotPrices = { secureSpotPrice: 0.25, communitySpotPrice: 0.2 };
  const catalog = path.join(dataFolder, "catalog.json");
  const type = { id: "AMD Instinct MI210", ...prices, ...spotPrices };
  writeFileSync(catalog, JSON.stringify({ gpuTypes: [type] }));
  const service = await simulatedService(t, {
    replicas: null,
    dataFolder,
    env: { FREEHOLD_CATALOG: catalog },
  });
  const [{ notices }] = (await service.call("GET", "/v1/machines")).json;
  assert.equal(notices.length, 1);
  assert.match(notices[0], /^its GPUs AMD Radeon PRO W7900 have no price and are not rented out/);
  const types = (await service.call("GET", "/v1/catalog/gpu-types")).json;
  const priced = types.find(({ id }: { id: string }) => id === "AMD Instinct MI210");
  assert.deepEqual([priced.displayName, priced.memoryInGb], ["MI210", 64]);
  const create = (more: object) =>
    service.call("POST", "/v1/pods", { driver: "simulated", imageName: "i", ...more });
  const { json: pod } = await create({ gpuTypeIds: ["AMD Instinct MI210"] });
  assert.deepEqual([pod.gpu.id, pod.costPerHr], ["AMD Instinct MI210", 0.5]);
  const refused = await create({ gpuTypeIds: ["AMD Radeon PRO W7900"] });
  assert.deepEqual([refused.status, /is not a GPU type/.test(refused.text)], [400, true]);
  const any = await create({});
  assert.deepEqual([any.status, any.json.code], [500, "no_capacity"]);
  assert.match(any.json.why[0].reason, /; its GPUs AMD Radeon PRO W7900 have no price in the cat/);
  await service.stop();

  // A price of 0 is one that is set.
  const free = { securePrice: 0, communityPrice: 0, secureSpotPrice: 0, communitySpotPrice: 0 };
  const gift = { id: "AMD Radeon PRO W7900", ...free };
  writeFileSync(catalog, JSON.stringify({ gpuTypes: [type, gift] }));
  const generous = await simulatedService(t, {
    replicas: null,
    dataFolder,
    env: { FREEHOLD_CATALOG: catalog },
  });
  assert.deepEqual((await generous.call("GET", "/v1/machines")).json[0].notices, undefined);
  const body = { driver: "simulated", imageName: "i" };
  const { json: other } = await generous.call("POST", "/v1/pods", body);
  assert.deepEqual([other.gpuTypeId, other.costPerHr], ["AMD Radeon PRO W7900", 0]);
});

test("an endpoint without a GPU type runs without a GPU where no GPU has a price", async (t) => {
  const dataFolder = newDataFolder();
  const gpus = [{ name: "AMD Radeon PRO W7900", memoryMb: 46_064 }];
  writeFileSync(path.join(dataFolder, "freehold.gpus.json"), JSON.stringify({ gpus }));
  const service = await simulatedService(t, { replicas: null, dataFolder });
  const endpoint = await service.makeEndpoint({
    template: { driver: "simulated" },
    spec: { workersMin: 0, workersMax: 1 },
  });
  const { json: job } = await service.call("POST", `/v2/${endpoint}/run`, { input: {} });
  await until(async () => {
    const { json } = await service.call("GET", `/v2/${endpoint}/status/${job.id}`);
    return json.status === "COMPLETED";
  });
});
