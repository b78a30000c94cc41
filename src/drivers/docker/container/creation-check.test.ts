import assert from "node:assert/strict";
import { test } from "node:test";
import type { ContainerCreateOptions } from "dockerode";
import { containerSpec } from "./container-spec.ts";
import { droppedFrom } from "./creation-check.ts";

const workload: Parameters<typeof containerSpec>[0] = {
  id: "w",
  image: "acme/llm:1",
  entrypoint: ["serve"],
  command: ["--fast"],
  env: { TOKEN: "a=b" },
  resources: { memoryMb: 64, vcpu: 1.5, gpuIndices: [0, 1] },
  ports: [
    { container: 22, protocol: "tcp" },
    { container: 53, protocol: "udp", hostPort: 34_567 },
  ],
  volumes: [{ kind: "pod", name: "v", mountPath: "/workspace" }],
  folders: [{ folder: "/srv/models", mountPath: "/models" }],
  hosts: { api: "10.0.0.1" },
};
const context = {
  owner: { installation: "i", machine: "m" },
  image: "acme/llm:1",
  network: "net",
  publishOn: "127.0.0.1",
  canLimitDisk: false,
  cpuCount: null,
};
const options = containerSpec(workload, context);

type Held = Parameters<typeof droppedFrom>[1];
type Change = {
  host?: Record<string, unknown>;
  config?: Record<string, unknown>;
  networks?: object;
  mounts?: object[];
};

const mounts = [
  {
    Type: "volume",
    Name: "freehold-m-pod-v",
    Source: "/data/v",
    Destination: "/workspace",
    RW: true,
  },
  { Type: "bind", Source: "/srv/models", Destination: "/models", RW: false },
];

/** The container in the words of Docker Engine 20.10, with changes. */
function held({ host = {}, config = {}, networks = { net: {} }, mounts: each = mounts }: Change) {
  const { HostConfig, Env = [], ...rest } = options;
  return {
    Config: { ...rest, User: "", Env: [...Env, "PATH=/usr/bin"], ...config },
    HostConfig: { ...HostConfig, Privileged: false, Runtime: "runc", ...host },
    NetworkSettings: { Networks: networks },
    Mounts: each,
  } as unknown as Held;
}

/** How Podman 4.3.1 puts it. */
const podman = {
  CapAdd: [],
  CapDrop: ["MKNOD", "NET_RAW", "SETFCAP", "SETPCAP"],
  SecurityOpt: ["no-new-privileges"],
  Runtime: "oci",
  NetworkMode: "bridge",
  NanoCpus: 0,
  CpuPeriod: 100_000,
  CpuQuota: 150_000,
  PortBindings: {
    "22/tcp": [{ HostIp: "127.0.0.1", HostPort: "45519" }],
    "53/udp": [{ HostIp: "127.0.0.1", HostPort: "34567" }],
  },
  Mounts: undefined,
};

const { HostConfig: host } = options;
const otherPort = { "53/udp": [{ HostIp: "127.0.0.1", HostPort: "1" }] };
const everywhere = { "22/tcp": [{ HostIp: "0.0.0.0", HostPort: "22" }] };
const readable = [mounts[0]!, { ...mounts[1]!, RW: true }];

const cases: [name: string, change: Change, dropped: string[]][] = [
  ["as asked", {}, []],
  ["as asked, in Podman's words", { host: podman }, []],
  ["no request for GPUs", { host: { ...podman, DeviceRequests: null } }, ["its GPUs"]],
  ["one GPU of two", { host: { DeviceRequests: [{ DeviceIDs: ["1"] }] } }, ["its GPUs"]],
  ["no memory limit", { host: { Memory: 0 } }, ["its memory limit"]],
  ["more swap", { host: { MemorySwap: 1_073_741_824_000 } }, ["its limit of memory and swap"]],
  ["swap that the kernel does not account for", { host: { MemorySwap: -1 } }, []],
  ["default shared memory", { host: { ShmSize: 67_108_864 } }, ["its shared memory"]],
  ["no CPU limit", { host: { NanoCpus: 0 } }, ["its CPU limit"]],
  ["a smaller quota", { host: { ...podman, CpuQuota: 100_000 } }, ["its CPU limit"]],
  ["no limit of processes", { host: { PidsLimit: null } }, ["its limit of processes"]],
  ["another command", { config: { Cmd: null } }, ["its command"]],
  ["another entry point", { config: { Entrypoint: ["sh"] } }, ["its entry point"]],
  ["a variable less", { config: { Env: ["PATH=/usr/bin"] } }, ["its variables"]],
  ["no labels", { config: { Labels: null } }, ["its labels"]],
  ["all capabilities", { host: { CapDrop: null } }, ["its capabilities"]],
  ["one capability more", { host: { ...podman, CapAdd: ["CAP_SYS_ADMIN"] } }, ["its capabilities"]],
  ["privileged", { host: { Privileged: true } }, ["its lack of privileges"]],
  ["set-user-id programs", { host: { SecurityOpt: null } }, ["its lock on new privileges"]],
  ["the default network", { networks: { bridge: {} } }, ["its network"]],
  ["no hosts", { host: { ExtraHosts: null } }, ["its hosts"]],
  ["no ports", { host: { PortBindings: {} } }, ["its ports"]],
  [
    "another port",
    { host: { PortBindings: { ...podman.PortBindings, ...otherPort } } },
    ["its ports"],
  ],
  [
    "a port of all addresses",
    { host: { PortBindings: { ...podman.PortBindings, ...everywhere } } },
    ["its ports"],
  ],
  ["no mounts", { mounts: [] }, ["its mounts"]],
  ["a mount that can be written", { mounts: readable }, ["its mounts"]],
];

for (const [name, change, dropped] of cases) {
  test(`a container that is created with ${name}`, () => {
    assert.deepEqual(droppedFrom(options, held(change)), dropped);
  });
}

test("paths are compared as engines hold them", () => {
  const [first] = host!.Mounts!;
  const spelled = { ...first!, Target: `/${first!.Target}/./` };
  const spelledOptions = {
    ...options,
    HostConfig: { ...host, Mounts: [spelled, ...host!.Mounts!.slice(1)] },
  };
  assert.deepEqual(droppedFrom(spelledOptions, held({})), []);
});

test("a runtime and a user are compared where they were asked for", () => {
  const special: ContainerCreateOptions = {
    ...options,
    User: "1000",
    HostConfig: { ...host, Runtime: "nvidia" },
  };
  assert.deepEqual(droppedFrom(special, held({})), ["its runtime", "its user"]);
});

test("a container gets AMD GPUs by their device nodes, and one that lacks a node is noticed", () => {
  const gpuNodes = [
    { render: "/dev/dri/renderD129", group: 992 },
    { render: "/dev/dri/renderD130", group: 992 },
  ];
  const resources = { gpuIndices: [1, 2], gpuUuids: ["GPU-a", "GPU-b"], gpuNodes };
  const { HostConfig } = containerSpec({ ...workload, resources }, context);
  assert.deepEqual(
    HostConfig?.Devices?.map(({ PathInContainer }: { PathInContainer: string }) => PathInContainer),
    ["/dev/kfd", "/dev/dri/renderD129", "/dev/dri/renderD130"],
  );
  assert.deepEqual([HostConfig?.GroupAdd, HostConfig?.DeviceRequests], [["992"], undefined]);
  const requested = { HostConfig: { Devices: HostConfig?.Devices } };
  const some = held({ host: { Devices: HostConfig?.Devices.slice(0, 2), DeviceRequests: null } });
  assert.ok(droppedFrom(requested, some).includes("its devices"));
  const all = held({ host: { Devices: HostConfig?.Devices, DeviceRequests: null } });
  assert.ok(!droppedFrom(requested, all).includes("its devices"));
});
