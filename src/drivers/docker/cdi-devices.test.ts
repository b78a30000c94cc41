// Tests of AMD GPUs by CDI: the request that an engine gets that reports their names, and the one of others.

import assert from "node:assert/strict";
import { test } from "node:test";
import { specOn } from "./cdi-devices.ts";
import { droppedFrom } from "./container/creation-check.ts";
import { libpodSpec } from "./podman/libpod-spec.ts";

const gpuNodes = ["0", "1"].map((name, n) => {
  return { render: `/dev/dri/renderD${128 + n}`, group: 992, cdi: `amd.com/gpu=${name}` };
});
const workload = {
  id: "w",
  image: "i",
  entrypoint: [],
  command: [],
  env: {},
  resources: { gpuIndices: [0, 1], gpuUuids: ["GPU-a", "GPU-b"], gpuNodes },
};
const context = {
  owner: { installation: "i", machine: "m" },
  image: "i",
  network: "net",
  publishOn: "127.0.0.1",
  canLimitDisk: false,
  cpuCount: null,
};
const names = ["amd.com/gpu=0", "amd.com/gpu=1"];
const presentNames = gpuNodes.map(({ render, cdi }): [string, string] => [render, cdi]);

/** The options of a workload's container on an engine that answers so to the request for its information. */
const optionsOn = (info: unknown, request = workload, present = presentNames) =>
  specOn({ callWithin: async <T>() => info as T }, request, {
    ...context,
    readCdiNames: async () => new Map(present),
  });

const reporting = (...ids: string[]) => {
  return { DiscoveredDevices: ids.map((ID) => ({ Source: "cdi", ID })) };
};

test("an engine that reports the names of all GPUs gets a request by them", async () => {
  const options = await optionsOn(reporting(...names, "amd.com/gpu=all"));
  const { DeviceRequests, Devices, GroupAdd } = options.HostConfig!;
  assert.deepEqual(DeviceRequests, [{ Driver: "cdi", DeviceIDs: names }]);
  assert.deepEqual([Devices, GroupAdd], [undefined, ["992"]]);
  const held = (ids: string[]) => {
    const host = { ...options.HostConfig, DeviceRequests: [{ Driver: "cdi", DeviceIDs: ids }] };
    const networks = { NetworkSettings: { Networks: { net: {} } }, Mounts: [] };
    return { Config: options, HostConfig: host, ...networks } as unknown as HeldContainer;
  };
  assert.deepEqual(droppedFrom(options, held(names)), []);
  assert.deepEqual(droppedFrom(options, held(["amd.com/gpu=0"])), ["its GPUs"]);
  const { devices, groups } = libpodSpec(options);
  assert.deepEqual([devices, groups], [names.map((path) => ({ path })), ["992"]]);
});

type HeldContainer = Parameters<typeof droppedFrom>[1];

test("other engines get the device nodes", async () => {
  const nodes = ["/dev/kfd", "/dev/dri/renderD128", "/dev/dri/renderD129"];
  const unnamed = gpuNodes.map(({ cdi, ...node }, n) => (n === 0 ? node : { ...node, cdi }));
  const some = { ...workload, resources: { ...workload.resources, gpuNodes: unnamed } };
  const [first, second] = ["/dev/dri/renderD129", "/dev/dri/renderD128"];
  const swapped: [string, string][] = [
    [first, names[0]!],
    [second, names[1]!],
  ];
  const other = { DiscoveredDevices: names.map((ID) => ({ Source: "other", ID })) };
  for (const [info, request, present] of [
    [{}, workload],
    [{ DiscoveredDevices: null }, workload],
    [reporting("amd.com/gpu=0"), workload],
    [other, workload],
    [reporting(...names), some],
    [reporting(...names), workload, swapped],
    [reporting(...names), workload, [] as [string, string][]],
  ] as const) {
    const { HostConfig: host } = await optionsOn(info, request as typeof workload, present);
    assert.deepEqual(
      host?.Devices?.map(({ PathOnHost }: { PathOnHost: string }) => PathOnHost),
      nodes,
    );
    assert.equal(host?.DeviceRequests, undefined);
  }
});
