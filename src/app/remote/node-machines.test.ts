import assert from "node:assert/strict";
import { test } from "node:test";
import { PricedCatalog } from "../../domain/catalog/prices.ts";
import type { RemoteMachine } from "../../domain/machine/remote.ts";
import { nodeViewOf } from "../../drivers/kubernetes/site/node-view.ts";
import { builtInCatalog } from "../catalog/read.ts";
import { NodeMachines } from "./node-machines.ts";

const NOVA = "ACME Nova";
const facts = { id: NOVA, displayName: "Nova", manufacturer: "ACME", memoryInGb: 12 };
const remote = {
  id: "k",
  offer: { gpus: {}, simulatedGpus: {}, declared: {} },
} as unknown as RemoteMachine;

test("a node that stays as it is gets its GPUs once their type has a price, and keeps them", () => {
  const catalog = new PricedCatalog(builtInCatalog());
  const machines = new NodeMachines(catalog, remote);
  const node = nodeViewOf({
    metadata: {
      name: "n",
      uid: "u",
      resourceVersion: "1",
      labels: { "nvidia.com/gpu.product": "ACME-Nova" },
    },
    status: { allocatable: { "nvidia.com/gpu": "2" } },
  });
  const others = { cpus: 0, memoryBytes: 0, diskBytes: 0, gpus: 0 };
  const describe = () => machines.describe([{ node, others, leaving: {} }], undefined)[0]!;
  const gpuTypes = () => describe().inventory.gpus.map(({ gpuTypeId }) => gpuTypeId);
  assert.deepEqual(gpuTypes(), []);
  assert.equal(describe(), describe());
  const price = { kind: "gpuType", id: NOVA, price: "secure" } as const;
  const book = { sliceTypes: [], ownTypes: [facts] };
  catalog.set("1", { ...book, settings: [{ ...price, micros: 1 }] });
  assert.deepEqual(gpuTypes(), [NOVA]);
  catalog.set("2", { ...book, settings: [{ ...price, micros: null }] });
  assert.deepEqual(gpuTypes(), [NOVA]);
});
