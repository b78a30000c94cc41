// A workload as the engine is asked to make a container of it. Pure.

import type { ContainerCreateOptions, HostConfig, MountSettings } from "dockerode";
import { type PortWish, StartRefused, type VolumeName, type Workload } from "../driver.ts";
import { isWorkloadId } from "../workload-id.ts";

/** Tells what is ours on an engine from what is not, and from another installation's. */
export const LABEL = {
  installation: "freehold.installation",
  workload: "freehold.workload",
  account: "freehold.account",
  volume: "freehold.volume",
} as const;

/**
 * What programs that run as root in common images need, servers for SSH included. Left out of the
 * engines' own choice: making devices, raw sockets, and handing capabilities on.
 */
const CAPABILITIES = [
  ...["AUDIT_WRITE", "CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "NET_BIND_SERVICE"],
  ...["SETGID", "SETUID", "SYS_CHROOT"],
];

/** Threads count too, and a framework makes some for every processor. */
const MOST_PROCESSES = 8_192;

const LOG = { Type: "json-file", Config: { "max-size": "10m", "max-file": "3" } };

export interface Around {
  installation: string;
  /** The image's full name. */
  image: string;
  network: string;
  /** The address of this machine that published ports are bound to. */
  publishOn: string;
  /** True where the engine can limit a container's disk. */
  quota: boolean;
}

export function containerName(installation: string, id: string): string {
  return `freehold-${installation}-${id}`;
}

export function volumeName(installation: string, { kind, name }: VolumeName): string {
  if (!isWorkloadId(name)) {
    throw new StartRefused(`${JSON.stringify(name.slice(0, 80))} is no name of a volume.`);
  }
  return `freehold-${installation}-${kind}-${name}`;
}

export function containerFor(workload: Workload, around: Around): ContainerCreateOptions {
  const { id, entrypoint, command, env, account, ports = [] } = workload;
  return {
    Image: around.image,
    ...(entrypoint.length > 0 && { Entrypoint: entrypoint }),
    ...(command.length > 0 && { Cmd: command }),
    Env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
    Labels: {
      [LABEL.installation]: around.installation,
      [LABEL.workload]: id,
      ...(account !== undefined && { [LABEL.account]: account }),
    },
    ExposedPorts: Object.fromEntries(ports.map((port) => [portKey(port), {}])),
    HostConfig: hostConfig(workload, around),
  };
}

function hostConfig(workload: Workload, around: Around): HostConfig {
  const { ports = [], volumes = [], resources = {} } = workload;
  const { vcpu, memoryMb, gpuIndices = [], diskGb } = resources;
  const memory = memoryMb === undefined ? null : Math.round(memoryMb * 1024 * 1024);
  return {
    NetworkMode: around.network,
    RestartPolicy: { Name: "no" },
    SecurityOpt: ["no-new-privileges:true"],
    CapDrop: ["ALL"],
    CapAdd: CAPABILITIES,
    PidsLimit: MOST_PROCESSES,
    LogConfig: LOG,
    ...(vcpu !== undefined && { NanoCpus: Math.round(vcpu * 1e9) }),
    // As much swap as memory would double the limit; frameworks share memory between processes.
    ...(memory !== null && { Memory: memory, MemorySwap: memory }),
    ShmSize: Math.floor((memory ?? 2 ** 31) / 2),
    ...(gpuIndices.length > 0 && {
      DeviceRequests: [{ DeviceIDs: gpuIndices.map(String), Capabilities: [["gpu"]] }],
    }),
    ...(diskGb !== undefined && around.quota && { StorageOpt: { size: `${diskGb}G` } }),
    PortBindings: Object.fromEntries(
      ports.map((port) => [
        portKey(port),
        [{ HostIp: around.publishOn, HostPort: port.hostPort ? String(port.hostPort) : "" }],
      ]),
    ),
    Mounts: volumes.map(
      ({ mountPath, ...volume }): MountSettings => ({
        Type: "volume",
        Source: volumeName(around.installation, volume),
        Target: mountPath,
        VolumeOptions: {
          NoCopy: true,
          Labels: {
            [LABEL.installation]: around.installation,
            [LABEL.volume]: `${volume.kind}/${volume.name}`,
          },
          DriverConfig: { Name: "local", Options: {} },
        },
      }),
    ),
  };
}

const portKey = ({ container, protocol }: PortWish) => `${container}/${protocol}`;
