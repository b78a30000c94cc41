// Tests of what a node offers, and of the quantities and requests that it is computed from.

import assert from "node:assert/strict";
import { test } from "node:test";
import { builtInCatalog } from "../../../config/catalog/read.ts";
import { GPU_FAMILIES, type GpuFamily } from "../pod/gpu-families.ts";
import {
  gpusIn,
  podRequestsOf,
  type Requests,
  requestsAny,
  requestsByNode,
  type ScheduledPod,
} from "../pod/pod-requests.ts";
import { quantityOf } from "../pod/quantity.ts";
import { gpuTypeNamed, hardwareOf, type NodeObject, nodeViewOf } from "./node-view.ts";
import { gpuNotice } from "./notices.ts";

const metadata = { name: "n1", uid: "u1", resourceVersion: "1" };
const catalog = builtInCatalog();

test("a quantity is read with its suffix, and one that cannot be read is 0", () => {
  const table: [text: string | undefined, value: number][] = [
    ["2", 2],
    ["3920m", 3.92],
    ["250000000n", 0.25],
    ["16Gi", 16 * 1_024 ** 3],
    ["500M", 500e6],
    ["1e3", 1_000],
    ["2E", 2e18],
    ["129k", 129_000],
    [undefined, 0],
    ["many", 0],
    ["5Q", 0],
  ];
  for (const [text, value] of table) {
    assert.ok(Math.abs(quantityOf(text) - value) <= value * 1e-9, `${text}: ${quantityOf(text)}`);
  }
});

test("a Pod requests what the scheduler counts", () => {
  const of = (cpu: string, more = {}) => ({ resources: { requests: { cpu } }, ...more });
  const cpusOf = (spec: ScheduledPod["spec"], phase = "Running") =>
    podRequestsOf({ metadata, ...(spec && { spec }), status: { phase } }).cpus;
  assert.equal(cpusOf({ containers: [of("1"), of("500m")] }), 1.5);
  assert.equal(cpusOf({ containers: [of("1")], initContainers: [of("3")] }), 3);
  const sidecar = of("2", { restartPolicy: "Always" });
  assert.equal(cpusOf({ containers: [of("1")], initContainers: [sidecar, of("500m")] }), 3);
  assert.equal(cpusOf({ containers: [of("1")], overhead: { cpu: "250m" } }), 1.25);
  assert.equal(cpusOf({ containers: [{ resources: { limits: { cpu: "4" } } }] }), 4);
  assert.equal(cpusOf({ containers: [of("1")] }, "Succeeded"), 0);
  const pods = ["n1", "n1", "n2", undefined].map((nodeName) =>
    podRequestsOf({
      metadata,
      spec: { ...(nodeName && { nodeName }), containers: [of("1")] },
    }),
  );
  const sums = requestsByNode(pods);
  assert.deepEqual([sums.get("n1")?.cpus, sums.get("n2")?.cpus, sums.size], [2, 1, 2]);
});

test("GPU names are compared whole", () => {
  const [nvidia, amd] = GPU_FAMILIES;
  const table: [product: string, type: string | undefined, family?: GpuFamily][] = [
    ["AMD_Instinct_MI300X_OAM", "AMD Instinct MI300X OAM", amd],
    ["AMD-Instinct-MI300X-OAM", "AMD-Instinct-MI300X-OAM", amd],
    ["AMD_Radeon_PRO_W7900", "AMD Radeon PRO W7900", amd], // without a price
    ["NVIDIA-A40", "NVIDIA A40"],
    ["NVIDIA-H100-80GB-HBM3", "NVIDIA H100 80GB HBM3"],
    ["NVIDIA-A100-SXM4-80GB", "NVIDIA A100-SXM4-80GB"],
    ["NVIDIA-A40-SHARED", undefined],
    ["NVIDIA-H100-80GB-HBM3-MIG-1g.10gb-SHARED", undefined],
    ["NVIDIA-H100-80GB-HBM3-MIG-1g.10gb", "NVIDIA H100 80GB HBM3 MIG 1g.10gb"],
    ["NVIDIA-A100-SXM4-80GB-MIG-1g.10gb.me", "NVIDIA A100-SXM4-80GB MIG 1g.10gb+me"],
    ["NVIDIA-A100-SXM4-80GB-MIG-INVALID", undefined],
    ["Custom-1-MIG-1g.10gb", "Custom-1 MIG 1g.10gb"],
    ["Custom-1-SHARED", undefined],
    ["A40", "A40"],
    ["AMD_Custom_1", "AMD Custom 1", amd],
  ];
  for (const [product, type, family = nvidia] of table) {
    assert.equal(gpuTypeNamed(catalog, { gpuFamily: family }, product)?.id, type, product);
  }
});

const gpuNode: NodeObject = {
  metadata: {
    ...metadata,
    labels: {
      "nvidia.com/gpu.product": "NVIDIA-A40",
      "nvidia.com/gpu.memory": "46068",
      "nvidia.com/gpu.count": "8",
      "nvidia.com/cuda.driver-version.major": "550",
      "nvidia.com/cuda.driver-version.minor": "54",
      "nvidia.com/cuda.driver-version.rev": "15",
      "nvidia.com/cuda.runtime.major": "12",
      "nvidia.com/cuda.runtime.minor": "4",
    },
  },
  status: {
    allocatable: {
      cpu: "15890m",
      memory: "64Gi",
      "ephemeral-storage": "200000000000",
      "nvidia.com/gpu": "4",
    },
    conditions: [{ type: "Ready", status: "True" }],
  },
};

test("a node offers what is allocatable and not requested by others", () => {
  const node = nodeViewOf(gpuNode);
  const all = hardwareOf(catalog, node);
  assert.deepEqual([all.vcpus, all.memoryMb, all.diskGb, all.gpus.length], [15, 65_536, 200, 4]);
  assert.deepEqual(all.gpus[0], { index: 0, name: "NVIDIA A40", memoryMb: 46_068 });
  assert.deepEqual([all.gpuDriver, all.cudaVersion], ["550.54.15", "12.4"]);
  const others = { cpus: 4, memoryBytes: 2 ** 30, diskBytes: 300e9, gpus: 3 };
  const left = hardwareOf(catalog, node, others);
  assert.deepEqual([left.vcpus, left.memoryMb, left.diskGb, left.gpus.length], [11, 64_512, 0, 1]);
  const labels = { ...gpuNode.metadata.labels, "nvidia.com/gpu.product": "Custom-1" };
  const unknown = hardwareOf(
    catalog,
    nodeViewOf({ ...gpuNode, metadata: { ...metadata, labels } }),
  );
  assert.equal(unknown.gpus.length, 4);
  assert.deepEqual(unknown.gpus[0], { index: 0, name: "Custom-1", memoryMb: 46_068 });
});

test("AMD's GPUs are offered by AMD's labels", () => {
  const node = nodeViewOf({
    metadata: {
      ...metadata,
      labels: {
        "amd.com/gpu.product-name": "AMD_Instinct_MI300X_OAM",
        "amd.com/gpu.vram": "192G",
      },
    },
    spec: { taints: [{ key: "amd.com/gpu", effect: "NoSchedule" }] },
    status: { allocatable: { "amd.com/gpu": "8" } },
  });
  assert.equal(node.closed, null);
  const { gpus } = hardwareOf(catalog, node);
  assert.equal(gpus.length, 8);
  assert.deepEqual(gpus[0], { index: 0, name: "AMD Instinct MI300X OAM", memoryMb: 192 * 1_024 });
  const container = { resources: { limits: { "amd.com/gpu": "2" } } };
  assert.equal(podRequestsOf({ metadata, spec: { containers: [container] } }).gpus, 2);
});

test("MIG devices are offered by profile, or as all the GPUs of a node", () => {
  const product = "NVIDIA-A100-SXM4-80GB";
  const labels = {
    "nvidia.com/gpu.product": product,
    "nvidia.com/gpu.memory": "81920",
    "nvidia.com/mig-1g.10gb.memory": "9728",
  };
  const allocatable = {
    "nvidia.com/gpu": "1",
    "nvidia.com/mig-1g.10gb": "3",
    "nvidia.com/mig-1g.10gb.me": "1",
  };
  const node = nodeViewOf({ metadata: { ...metadata, labels }, status: { allocatable } });
  const others = podRequestsOf({
    metadata,
    spec: { containers: [{ resources: { limits: { "nvidia.com/mig-1g.10gb": "1" } } }] },
  });
  assert.deepEqual([others.gpus, gpusIn(others), requestsAny(others)], [0, 1, true]);
  const offered = (requests?: Requests) =>
    hardwareOf(catalog, node, requests).gpus.map(({ name, memoryMb }) => `${name}, ${memoryMb}`);
  const whole = "NVIDIA A100-SXM4-80GB, 81920";
  const slice = "NVIDIA A100-SXM4-80GB MIG 1g.10gb, 9728";
  const media = "NVIDIA A100-SXM4-80GB MIG 1g.10gb+me, 10240";
  assert.deepEqual(offered(), [whole, slice, slice, slice, media]);
  const sum = requestsByNode([others, others].map((each) => ({ ...each, node: "n1" }))).get("n1");
  assert.deepEqual(offered(sum), [whole, slice, media]);

  const single = nodeViewOf({
    metadata: {
      ...metadata,
      labels: {
        "nvidia.com/gpu.product": `${product}-MIG-2g.20gb`,
        "nvidia.com/gpu.memory": "19968",
      },
    },
    status: { allocatable: { "nvidia.com/gpu": "3" } },
  });
  const { gpus } = hardwareOf(catalog, single);
  assert.deepEqual(gpus.length, 3);
  assert.deepEqual(gpus[0], {
    index: 0,
    name: "NVIDIA A100-SXM4-80GB MIG 2g.20gb",
    memoryMb: 19_968,
  });
});

test("GPUs that are not offered have a reason", () => {
  const noticeOf = (labels: Record<string, string>, allocatable: Record<string, string>) =>
    gpuNotice(catalog, nodeViewOf({ metadata: { ...metadata, labels }, status: { allocatable } }));
  const table: [labels: Record<string, string>, gpus: Record<string, string>, RegExp | null][] = [
    [{}, {}, null],
    [{ "nvidia.com/gpu.product": "NVIDIA-A40" }, { "nvidia.com/gpu": "4" }, null],
    [{}, { "nvidia.com/gpu": "4" }, /has 4 GPUs and no label nvidia.com\/gpu.product: install GPU/],
    [{}, { "amd.com/gpu": "8" }, /no label amd.com\/gpu.product-name: install AMD's node labeller/],
    [{ "nvidia.com/gpu.product": "NVIDIA-A40" }, {}, /offers no nvidia.com\/gpu: check its device/],
    [{ "amd.com/gpu.product-name": "AMD_X" }, { "amd.com/gpu": "0" }, /offers no amd.com\/gpu/],
    [
      { "nvidia.com/gpu.product": "NVIDIA-A40-SHARED" },
      { "nvidia.com/gpu": "4" },
      /^Its GPUs are shared between Pods\. Freehold offers whole GPUs/,
    ],
    [
      { "nvidia.com/gpu.product": "NVIDIA-A40-SHARED" },
      { "nvidia.com/gpu": "0", "nvidia.com/gpu.shared": "8" },
      /are shared between Pods\. It offers nvidia\.com\/gpu\.shared\./,
    ],
    [{}, { "nvidia.com/gpu.shared": "8" }, /are shared between Pods/],
    [
      { "nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3-MIG-1g.10gb" },
      { "nvidia.com/gpu": "7" },
      null,
    ],
    [
      { "nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3-MIG-INVALID" },
      { "nvidia.com/gpu": "0" },
      /MIG-INVALID, and it offers no nvidia\.com\/gpu: check its device plugin/,
    ],
    [
      { "nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3" },
      { "nvidia.com/gpu": "0", "nvidia.com/mig-1g.10gb": "7", "nvidia.com/mig-3g.40gb": "1" },
      null,
    ],
    [
      { "nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3" },
      { "nvidia.com/mig-1c.3g.40gb": "3" },
      /are partitioned\. It offers nvidia\.com\/mig-1c\.3g\.40gb\./,
    ],
    [{}, { "nvidia.com/mig-1g.10gb": "7" }, /has 7 GPUs and no label nvidia.com\/gpu.product/],
    [
      { "nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3" },
      { "nvidia.com/gpu": "8", "nvidia.com/mig-1g.10gb": "0" },
      null,
    ],
    [{}, { "amd.com/cpx_nps1": "64" }, /are partitioned\. It offers amd\.com\/cpx_nps1\./],
    [{ "nvidia.com/gpu.product": "Custom-1" }, { "nvidia.com/gpu": "4" }, null],
    [
      { "nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3-MIG-INVALID" },
      { "nvidia.com/gpu": "4" },
      /MIG-INVALID, which is not the name of a GPU type\./,
    ],
  ];
  for (const [labels, gpus, notice] of table) {
    if (notice === null) assert.equal(noticeOf(labels, gpus), null);
    else assert.match(noticeOf(labels, gpus) ?? "", notice);
  }
});

test("a cordon or a taint closes a node", () => {
  const closed = (spec: NodeObject["spec"]) =>
    nodeViewOf({ metadata, ...(spec && { spec }) }).closed;
  const taint = (key: string, effect = "NoSchedule") => ({ taints: [{ key, effect }] });
  assert.equal(closed({}), null);
  assert.equal(closed({ unschedulable: true }), "its node is cordoned");
  assert.equal(closed(taint("dedicated")), "its node has the taint dedicated");
  assert.equal(closed(taint("dedicated", "PreferNoSchedule")), null);
  assert.equal(closed(taint("nvidia.com/gpu")), null);
  assert.equal(nodeViewOf({ metadata }).isReady, false);
  assert.equal(nodeViewOf(gpuNode).isReady, true);
});
