// The container options of Podman's own interface, for what its Docker-compatible one cannot say: GPUs, which it
// takes by their CDI names. Pure.

import type { ContainerCreateOptions, HostConfig, MountSettings } from "dockerode";

const CPU_PERIOD_US = 100_000;

/** A request of the driver "cdi" has the names; the NVIDIA container toolkit names a GPU by its UUID or its index. */
function cdiNames({ HostConfig: host }: ContainerCreateOptions): string[] {
  return (host?.DeviceRequests ?? []).flatMap(({ Driver, DeviceIDs = [] }) =>
    Driver === "cdi" ? DeviceIDs : DeviceIDs.map((gpu) => `nvidia.com/gpu=${gpu}`),
  );
}

/** The GPUs that a container asks for or has, by UUID or index. */
export function gpusOf({ HostConfig: host }: Pick<ContainerCreateOptions, "HostConfig">): string[] {
  return (host?.DeviceRequests ?? []).flatMap(({ DeviceIDs }) => DeviceIDs ?? []);
}

/** Volumes must exist already, since this interface creates them without labels. */
export function libpodSpec(options: ContainerCreateOptions): Record<string, unknown> {
  const { Env = [], Entrypoint, Cmd, HostConfig: host = {} } = options;
  const mounts = host.Mounts ?? [];
  return {
    name: options.name,
    image: options.Image,
    ...(Entrypoint !== undefined && { entrypoint: Entrypoint }),
    ...(Cmd !== undefined && { command: Cmd }),
    env: Object.fromEntries(Env.map(variable)),
    labels: options.Labels,
    devices: cdiNames(options).map((path) => ({ path })),
    groups: host.GroupAdd,
    netns: { nsmode: "bridge" },
    networks: { [host.NetworkMode ?? ""]: {} },
    hostadd: host.ExtraHosts,
    portmappings: Object.entries((host.PortBindings ?? {}) as Record<string, Binding[]>).map(
      portMapping,
    ),
    restart_policy: host.RestartPolicy?.Name,
    no_new_privileges: host.SecurityOpt?.includes("no-new-privileges:true"),
    cap_drop: host.CapDrop,
    cap_add: host.CapAdd?.map((name: string) => `CAP_${name}`),
    shm_size: host.ShmSize,
    ...(host.IpcMode !== undefined && { ipcns: { nsmode: host.IpcMode } }),
    resource_limits: limits(host),
    log_configuration: { driver: host.LogConfig?.Type, options: host.LogConfig?.Config },
    ...(host.StorageOpt && { storage_opts: host.StorageOpt }),
    volumes: mounts.filter(isVolume).map((each) => ({ Name: each.Source, Dest: each.Target })),
    mounts: mounts.filter((each) => !isVolume(each)).map(bind),
  };
}

/** The volumes that a container mounts, as their creation describes them. */
export function mountedVolumes({ HostConfig: host }: ContainerCreateOptions) {
  return (host?.Mounts ?? []).filter(isVolume).map(({ Source, VolumeOptions: volume }) => {
    return { Name: Source, Driver: "local", Labels: volume?.Labels ?? {} };
  });
}

const isVolume = ({ Type }: MountSettings) => Type === "volume";

const bind = ({ Source, Target, ReadOnly }: MountSettings) => ({
  type: "bind",
  source: Source,
  destination: Target,
  options: ["rbind", "rprivate", ReadOnly ? "ro" : "rw"],
});

function limits({ Memory, MemorySwap, NanoCpus, PidsLimit }: HostConfig) {
  return {
    pids: { limit: PidsLimit },
    ...(Memory !== undefined && { memory: { limit: Memory, swap: MemorySwap } }),
    ...(NanoCpus !== undefined && {
      cpu: { period: CPU_PERIOD_US, quota: Math.round((NanoCpus / 1e9) * CPU_PERIOD_US) },
    }),
  };
}

interface Binding {
  HostIp?: string;
  HostPort?: string;
}

function portMapping([name, [binding]]: [string, Binding[]]) {
  const [port, protocol] = name.split("/");
  return {
    container_port: Number(port),
    protocol,
    host_ip: binding?.HostIp,
    ...(binding?.HostPort && { host_port: Number(binding.HostPort) }),
  };
}

function variable(text: string): [string, string] {
  const at = text.indexOf("=");
  return [text.slice(0, at), text.slice(at + 1)];
}
