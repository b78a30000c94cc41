// Compares a container that an engine created with what was asked of it: an engine may accept an option and drop
// it, as Podman drops requests for GPUs. Pure.

import { posix } from "node:path";
import type { ContainerCreateOptions, ContainerInspectInfo } from "dockerode";
import { gpusOf } from "../podman/libpod-spec.ts";

interface Held extends Pick<ContainerInspectInfo, "Config" | "HostConfig" | "Mounts"> {
  NetworkSettings: Pick<ContainerInspectInfo["NetworkSettings"], "Networks">;
}

/** What a container gets without CapAdd and CapDrop; inspections of Podman are relative to it too. */
const DEFAULT_CAPABILITIES = [
  "AUDIT_WRITE",
  "CHOWN",
  "DAC_OVERRIDE",
  "FOWNER",
  "FSETID",
  "KILL",
  "MKNOD",
  "NET_BIND_SERVICE",
  "NET_RAW",
  "SETFCAP",
  "SETGID",
  "SETPCAP",
  "SETUID",
  "SYS_CHROOT",
];

type Host = ContainerInspectInfo["HostConfig"];

type Check = [what: string, isHeld: (options: ContainerCreateOptions, held: Held) => boolean];

const checks: Check[] = [
  ["its GPUs", (options, held) => isSameSet(gpusOf(options), gpusOf(held))],
  [
    "its devices",
    (options, held) => holdsAll(devicesOf(options.HostConfig), devicesOf(held.HostConfig)),
  ],
  ["its runtime", isSameIfAsked((host) => host.Runtime)],
  ["its memory limit", isSameIfAsked((host) => host.Memory)],
  ["its limit of memory and swap", isSwapHeld],
  ["its shared memory", isSameIfAsked((host) => host.ShmSize)],
  ["its shared memory with the machine", isSameIfAsked((host) => host.IpcMode)],
  ["its CPU limit", isSameIfAsked(cpus)],
  ["its limit of processes", isSameIfAsked((host) => host.PidsLimit)],
  ["its user", ({ User }, { Config }) => User === undefined || User === Config.User],
  ["its entry point", ({ Entrypoint }, { Config }) => isSameText(Entrypoint, Config.Entrypoint)],
  ["its command", ({ Cmd }, { Config }) => isSameText(Cmd, Config.Cmd)],
  ["its variables", ({ Env = [] }, { Config }) => holdsAll(Env, Config.Env)],
  [
    "its labels",
    ({ Labels = {} }, { Config }) =>
      holdsAll(Object.entries(Labels), Object.entries(Config.Labels ?? {})),
  ],
  [
    "its capabilities",
    (options, held) => isSameSet(capabilities(options.HostConfig), capabilities(held.HostConfig)),
  ],
  ["its lack of privileges", (_, { HostConfig: host }) => !host.Privileged],
  [
    "its lock on new privileges",
    (options, held) => !locksPrivileges(options.HostConfig) || locksPrivileges(held.HostConfig),
  ],
  [
    "its network",
    ({ HostConfig: host }, { NetworkSettings }) =>
      host?.NetworkMode === undefined || host.NetworkMode in (NetworkSettings.Networks ?? {}),
  ],
  [
    "its hosts",
    (options, held) => holdsAll(options.HostConfig?.ExtraHosts ?? [], held.HostConfig.ExtraHosts),
  ],
  ["its ports", (options, held) => holdsPorts(options.HostConfig ?? {}, held.HostConfig)],
  ["its mounts", (options, held) => (options.HostConfig?.Mounts ?? []).every(isMountedIn(held))],
];

/** What the engine holds otherwise than it was asked; empty if nothing. */
export function droppedFrom(options: ContainerCreateOptions, held: Held): string[] {
  return checks.flatMap(([what, isHeld]) => (isHeld(options, held) ? [] : [what]));
}

function isSameIfAsked(read: (host: Host) => unknown): Check[1] {
  return (options, held) => {
    const before = read((options.HostConfig ?? {}) as Host);
    return before === undefined || before === read(held.HostConfig);
  };
}

const devicesOf = ({ Devices }: Partial<Host> = {}): string[] =>
  (Devices ?? []).map(({ PathInContainer }: { PathInContainer: string }) => PathInContainer);

/** A kernel that does not account for swap has no limit of it; the engine holds -1 and only warns. */
function isSwapHeld(options: ContainerCreateOptions, held: Held): boolean {
  const before = options.HostConfig?.MemorySwap;
  return before === undefined || [before, -1].includes(held.HostConfig.MemorySwap ?? 0);
}

/** In hundredths, since an engine may hold a quota per period. */
function cpus({ NanoCpus, CpuQuota, CpuPeriod }: Host): number | undefined {
  if (NanoCpus) return Math.round(NanoCpus / 1e7);
  return CpuQuota && CpuPeriod ? Math.round((CpuQuota / CpuPeriod) * 100) : undefined;
}

function capabilities({ CapAdd, CapDrop }: Partial<Host> = {}): string[] {
  const [added, dropped] = [plainNames(CapAdd), plainNames(CapDrop)];
  const first = dropped.includes("ALL") ? [] : DEFAULT_CAPABILITIES;
  return [...first.filter((name) => !dropped.includes(name)), ...added];
}

const plainNames = (names: string[] | null | undefined) =>
  (names ?? []).map((name) => name.replace(/^CAP_/, ""));

const locksPrivileges = ({ SecurityOpt }: Partial<Host> = {}) =>
  (SecurityOpt ?? []).some((option: string) => /^no-new-privileges(?:[:=]true)?$/.test(option));

function holdsPorts(options: Partial<Host>, held: Host): boolean {
  const bindings = (held.PortBindings ?? {}) as Record<string, Binding[] | null>;
  return Object.entries((options.PortBindings ?? {}) as Record<string, Binding[]>).every(
    ([port, [before]]) => {
      const [now] = bindings[port] ?? [];
      if (!before || !now) return !before;
      return before.HostIp === now.HostIp && (!before.HostPort || before.HostPort === now.HostPort);
    },
  );
}

interface Binding {
  HostIp?: string;
  HostPort?: string;
}

type Mount = NonNullable<NonNullable<ContainerCreateOptions["HostConfig"]>["Mounts"]>[number];

const isMountedIn =
  ({ Mounts }: Held) =>
  ({ Type, Source = "", Target = "", ReadOnly = false }: Mount) =>
    Mounts.some(
      (each) =>
        cleanPath(each.Destination) === cleanPath(Target) &&
        each.Type === Type &&
        (Type === "volume" ? each.Name === Source : isFolder(each.Source, Source)) &&
        each.RW === !ReadOnly,
    );

/** An engine in a virtual machine puts the place of the machine's folders before the path. */
const isFolder = (held: string, source: string) => cleanPath(held).endsWith(cleanPath(source));

/** The form in which engines hold a path: without a slash at its end, "//" and "/./". */
const cleanPath = (text: string) => posix.normalize(text).replace(/(?<=.)\/$/, "");

function isSameText(
  options: string | string[] | undefined,
  held?: string | string[] | null,
): boolean {
  return (
    options === undefined || JSON.stringify([options].flat()) === JSON.stringify([held].flat())
  );
}

function holdsAll(
  options: readonly unknown[],
  held: readonly unknown[] | null | undefined,
): boolean {
  const texts = new Set((held ?? []).map((each) => JSON.stringify(each)));
  return options.every((each) => texts.has(JSON.stringify(each)));
}

const isSameSet = (options: string[], held: string[]) =>
  new Set(options).size === new Set(held).size && holdsAll(options, held);
