// The engine's container options for a workload. Pure.

import type { ContainerCreateOptions, HostConfig, MountSettings } from "dockerode";
import { MIB } from "../../../base/units.ts";
import { CAPABILITIES } from "../../../domain/container/capabilities.ts";
import {
  type FolderMount,
  type PortRequest,
  StartRefused,
  type VolumeMount,
  type VolumeName,
  type Workload,
} from "../../driver.ts";
import { isWorkloadId } from "../../workload-id.ts";

export const LABEL = {
  installation: "freehold.installation",
  machine: "freehold.machine",
  dataFolder: "freehold.data-folder",
  workload: "freehold.workload",
  account: "freehold.account",
  volume: "freehold.volume",
  cluster: "freehold.cluster",
  fabric: "freehold.fabric",
} as const;

/** The owner of containers, volumes and networks. Others on the same engine are left alone. */
export interface ContainerOwner {
  /** The id of the store that has rows about them. */
  installation: string;
  machine: string;
  /** Where the service runs, for the operator; absent on a remote machine. */
  dataFolder?: string;
}

export function ownerLabels({ installation, machine, dataFolder }: ContainerOwner) {
  return {
    [LABEL.installation]: installation,
    [LABEL.machine]: machine,
    ...(dataFolder !== undefined && { [LABEL.dataFolder]: dataFolder }),
  };
}

/** The engine's filter that selects what an owner has. */
export function ownerFilter({ installation, machine }: ContainerOwner): { label: string[] } {
  return { label: [`${LABEL.installation}=${installation}`, `${LABEL.machine}=${machine}`] };
}

/** Threads count too, and frameworks create several per CPU. */
const MAX_PROCESSES = 8_192;

const LOG = { Type: "json-file", Config: { "max-size": "10m", "max-file": "3" } };

export interface ContainerContext {
  owner: ContainerOwner;
  /** The image's complete name. */
  image: string;
  network: string;
  /** The address of the machine that published ports are bound to. */
  publishOn: string;
  /** Whether the engine can limit a container's disk. */
  canLimitDisk: boolean;
  /** The CPUs of the engine's machine, where a start learned them; null otherwise. */
  cpuCount: number | null;
}

export function containerName({ machine }: ContainerOwner, id: string): string {
  return `freehold-${machine}-${id}`;
}

export function volumeName({ machine }: ContainerOwner, { kind, name }: VolumeName): string {
  if (!isWorkloadId(name)) {
    throw new StartRefused(`${JSON.stringify(name.slice(0, 80))} is not a valid volume name.`);
  }
  return `freehold-${machine}-${kind}-${name}`;
}

export function volumeLabels(
  owner: ContainerOwner,
  { kind, name }: VolumeName,
): Record<string, string> {
  return { ...ownerLabels(owner), [LABEL.volume]: `${kind}/${name}` };
}

export function containerSpec(
  workload: Workload,
  context: ContainerContext,
): ContainerCreateOptions {
  const { id, entrypoint, command, env, account, ports = [] } = workload;
  return {
    Image: context.image,
    ...(entrypoint.length > 0 && { Entrypoint: entrypoint }),
    ...(command.length > 0 && { Cmd: command }),
    Env: Object.entries({ ...env, ...mpsVariables(workload.resources ?? {}) }).map(variable),
    Labels: {
      ...ownerLabels(context.owner),
      [LABEL.workload]: id,
      ...(account !== undefined && { [LABEL.account]: account }),
    },
    ExposedPorts: Object.fromEntries(ports.map((port) => [portKey(port), {}])),
    HostConfig: hostConfig(workload, context),
  };
}

/** An engine would repeat the whole variable in its error. */
function variable([name, value]: [string, string]): string {
  if (!value.includes("\0")) return `${name}=${value}`;
  throw new StartRefused(`the variable ${JSON.stringify(name)} has a NUL character`);
}

function hostConfig(workload: Workload, context: ContainerContext): HostConfig {
  const { ports = [], volumes = [], folders = [], resources = {}, hosts = {} } = workload;
  const { vcpu, memoryMb, diskGb } = resources;
  const memory = memoryMb === undefined ? null : Math.round(memoryMb * MIB);
  return {
    NetworkMode: context.network,
    ExtraHosts: Object.entries(hosts).map(([name, address]) => `${name}:${address}`),
    RestartPolicy: { Name: "no" },
    SecurityOpt: ["no-new-privileges:true"],
    CapDrop: ["ALL"],
    CapAdd: [...CAPABILITIES],
    PidsLimit: MAX_PROCESSES,
    LogConfig: LOG,
    ...(vcpu !== undefined && {
      NanoCpus: Math.round(Math.min(vcpu, context.cpuCount ?? vcpu) * 1e9),
    }),
    // MemorySwap includes memory, so equal values allow no swap.
    ...(memory !== null && { Memory: memory, MemorySwap: memory }),
    ...sharedMemory(resources, memory),
    ...gpuOptions(resources),
    ...(diskGb !== undefined && context.canLimitDisk && { StorageOpt: { size: `${diskGb}G` } }),
    PortBindings: Object.fromEntries(
      ports.map((port) => [
        portKey(port),
        [{ HostIp: context.publishOn, HostPort: port.hostPort ? String(port.hostPort) : "" }],
      ]),
    ),
    Mounts: [
      ...volumes.map((each) => volumeMount(context.owner, each)),
      ...folders.map(bindMount),
      ...mpsMounts(resources),
    ],
  };
}

/** The node of the compute driver, which is one for all GPUs of AMD; their render nodes keep them apart. */
const AMD_COMPUTE = "/dev/kfd";

function gpuOptions({
  gpuIndices = [],
  gpuUuids,
  gpuNodes = [],
}: NonNullable<Workload["resources"]>): HostConfig {
  if (gpuIndices.length === 0) return {};
  if (gpuNodes.length === 0) {
    const DeviceIDs = gpuUuids ?? gpuIndices.map(String);
    return { DeviceRequests: [{ DeviceIDs, Capabilities: [["gpu"]] }] };
  }
  const groups = new Set(gpuNodes.flatMap(({ group }) => group ?? []));
  const GroupAdd = Array.from(groups, String);
  const DeviceIDs = gpuNodes.flatMap(({ cdi }) => cdi ?? []);
  if (DeviceIDs.length === gpuNodes.length) {
    return { DeviceRequests: [{ Driver: "cdi", DeviceIDs }], GroupAdd };
  }
  return {
    Devices: [AMD_COMPUTE, ...gpuNodes.map(({ render }) => render)].map((node) => {
      return { PathOnHost: node, PathInContainer: node, CgroupPermissions: "rw" };
    }),
    GroupAdd,
  };
}

/** Where the daemon has its pipes, unless it was started with another folder. */
const MPS_FOLDER = "/tmp/nvidia-mps";

/** The variables of a container on shares with limits. The GPUs of a container are numbered from 0 in it. */
function mpsVariables({
  mpsLimits,
  gpuIndices = [],
}: NonNullable<Workload["resources"]>): Record<string, string> {
  if (!mpsLimits) return {};
  const limits = gpuIndices.map((_, index) => `${index}=${mpsLimits.memoryInGb}G`);
  return {
    CUDA_MPS_PIPE_DIRECTORY: MPS_FOLDER,
    CUDA_MPS_PINNED_DEVICE_MEM_LIMIT: limits.join(","),
    CUDA_MPS_ACTIVE_THREAD_PERCENTAGE: String(mpsLimits.computePercent),
  };
}

/**
 * Frameworks need shared memory. Programs of MPS share it with the daemon's server below /dev/shm, which is that of the machine; Podman
 * refuses a size for that one.
 */
const sharedMemory = (
  { mpsLimits }: NonNullable<Workload["resources"]>,
  memory: number | null,
): HostConfig =>
  mpsLimits ? { IpcMode: "host" } : { ShmSize: Math.floor((memory ?? 2 ** 31) / 2) };

/** The engine starts no container without that folder: a program that finds no daemon would run without limits. */
const mpsMounts = ({ mpsLimits }: NonNullable<Workload["resources"]>) =>
  mpsLimits ? [{ Type: "bind" as const, Source: MPS_FOLDER, Target: MPS_FOLDER }] : [];

function volumeMount(owner: ContainerOwner, { mountPath, ...volume }: VolumeMount): MountSettings {
  return {
    Type: "volume",
    Source: volumeName(owner, volume),
    Target: mountPath,
    VolumeOptions: {
      NoCopy: true,
      Labels: volumeLabels(owner, volume),
      DriverConfig: { Name: "local", Options: {} },
    },
  };
}

const bindMount = ({ folder, mountPath }: FolderMount): MountSettings => {
  return { Type: "bind", Source: folder, Target: mountPath, ReadOnly: true };
};

const portKey = ({ container, protocol }: PortRequest) => `${container}/${protocol}`;
