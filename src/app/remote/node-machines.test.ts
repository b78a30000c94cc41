import assert from "node:assert/strict";
import { test } from "node:test";
import { builtInCatalog } from "../../config/catalog/read.ts";
import { PricedCatalog } from "../../domain/catalog/prices.ts";
import type { RemoteMachine } from "../../domain/machine/remote.ts";
import { nodeViewOf } from "../../drivers/kubernetes/site/node-view.ts";
import { NodeMachines } from "./node-machines.ts";

const NOVA = "ACME Nova";
const facts = { id: NOVA, displayName: "Nova", manufacturer: "ACME", memoryInGb: 12 };
const remote = {
  id: "k",
  offer: { gpus: {}, simulatedGpus: {}, declared: {} },
} as unknown as RemoteMachine;

test("a node that stays as it is has its GPUs by the name of their type once that has a price", () => {
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
  const use = { node, others, leaving: {}, unhealthyGpus: {}, healthy: [] };
  const describe = () => machines.describe([use], undefined)[0]!;
  const gpuTypes = () => describe().inventory.gpus.map(({ gpuTypeId }) => gpuTypeId);
  assert.deepEqual(gpuTypes(), ["ACME-Nova"]);
  assert.equal(describe(), describe());
  const price = { kind: "gpuType", id: NOVA, price: "secure" } as const;
  const book = { sliceTypes: [], ownTypes: [facts] };
  catalog.set("1", { ...book, settings: [{ ...price, micros: 1 }] });
  assert.deepEqual(gpuTypes(), [NOVA]);
  catalog.set("2", { ...book, settings: [{ ...price, micros: null }] });
  assert.deepEqual(gpuTypes(), [NOVA]);
});

test("an unhealthy GPU is trouble of its node, and is named where a Pod has it", () => {
  const machines = new NodeMachines(new PricedCatalog(builtInCatalog()), remote);
  const described = (allocatable: string, unhealthyGpus: Record<string, string[]>) => {
    const labels = { "nvidia.com/gpu.product": "NVIDIA-A40" };
    const amounts = (count: string) => ({ "nvidia.com/gpu": count, "nvidia.com/mig-1g.5gb": "0" });
    const node = nodeViewOf({
      metadata: { name: "n", uid: "u", resourceVersion: "1", labels },
      status: { capacity: amounts("4"), allocatable: amounts(allocatable) },
    });
    const use = { node, others: undefined, leaving: {}, unhealthyGpus, healthy: [] };
    const { inventory, whole } = machines.describe([use], undefined)[0]!;
    assert.equal("gpuTrouble" in whole, false);
    return [inventory.gpus[0]?.indices.length, inventory.gpuTrouble, inventory.node?.unhealthyGpus];
  };
  assert.deepEqual(described("4", {}), [4, undefined, undefined]);
  const trouble = "its device plugin reports that 1 of 4 GPUs is unhealthy";
  assert.deepEqual(described("3", {}), [3, trouble, undefined]);
  const held = { p: ["GPU-2"] };
  assert.deepEqual(described("3", held), [3, `${trouble}, among them GPU-2`, held]);
  assert.deepEqual(described("0", {}), [undefined, undefined, undefined], "the plugin restarts");
  const all = "its device plugin reports that 4 of 4 GPUs are unhealthy, among them GPU-2";
  assert.deepEqual(described("0", held), [undefined, all, held]);
});
