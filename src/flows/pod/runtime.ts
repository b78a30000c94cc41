// The runtime of a Pod's container: its uptime, its ports and what it uses.

import type { Clock } from "../../base/clock.ts";
import { wholeNumber } from "../../domain/gpu-share/gpu-share.ts";
import { isUp, type Pod } from "../../domain/pod/pod.ts";
import type { Sample } from "../../domain/usage/sample.ts";
import type { Worker } from "../../domain/worker/worker.ts";
import type { LogSources } from "../replica/log-source.ts";
import { latestOn } from "../usage/read.ts";

export interface PodRuntime extends BriefRuntime {
  /** When its use was measured; null if it was not yet. */
  measuredAt: number | null;
  /** Zero for a GPU that is virtual or not measured yet. */
  gpus: { id: string; gpuUtilPercent: number; memoryUtilPercent: number }[];
  container: { cpuPercent: number; memoryPercent: number };
}

/** The part that needs no measurement. */
interface BriefRuntime {
  uptimeInSeconds: number;
  ports: RuntimePort[];
}

interface RuntimePort {
  ip: string;
  isIpPublic: boolean;
  privatePort: number;
  publicPort: number;
  type: "tcp" | "http";
}

export interface RuntimeDeps extends LogSources {
  clock: Clock;
}

/** In the order of the Pods; null for a Pod whose container does not run. */
export async function runtimesOf(
  deps: RuntimeDeps,
  pods: readonly Pod[],
): Promise<(PodRuntime | null)[]> {
  const running = pods.filter(isUp);
  const latest = await latestOn(deps, new Set(running.map(({ placement }) => placement.machine)));
  const now = deps.clock.now();
  return pods.map((pod) => {
    if (!isUp(pod)) return null;
    const sample = latest({ machine: pod.placement.machine, id: pod.id });
    return runtimeOf(pod, sample, now);
  });
}

/** In whole seconds; null for a Pod whose container does not run. */
export function podUptime(pod: Pod, now: number): number | null {
  return isUp(pod) ? uptimeSince(pod.observed.startedAt, now) : null;
}

function uptimeSince(startedAt: number | null, now: number): number {
  return Math.max(0, Math.floor((now - (startedAt ?? now)) / 1_000));
}

interface KnownRuntime {
  sample: Sample | undefined;
  brief: BriefRuntime;
  runtime: PodRuntime;
}

/** Lists are read more often than uptimes and samples change, and reads of an unchanged Pod share its object. */
const knownRuntimes = new WeakMap<Pod, KnownRuntime>();

function runtimeOf(pod: Pod, sample: Sample | undefined, now: number): PodRuntime {
  const brief = knownBrief(pod, now);
  const last = knownRuntimes.get(pod);
  if (last && last.sample === sample && last.brief === brief) return last.runtime;
  const runtime = { ...brief, ...useOf(pod.placement.gpus, sample) };
  knownRuntimes.set(pod, { sample, brief, runtime });
  return runtime;
}

const knownBriefs = new WeakMap<Pod, BriefRuntime>();

function knownBrief(pod: Pod, now: number): BriefRuntime {
  const uptimeInSeconds = uptimeSince(pod.observed.startedAt, now);
  const last = knownBriefs.get(pod);
  if (last?.uptimeInSeconds === uptimeInSeconds) return last;
  const brief = { uptimeInSeconds, ports: last?.ports ?? portsOf(pod) };
  knownBriefs.set(pod, brief);
  return brief;
}

function useOf(gpus: readonly number[], sample: Sample | undefined) {
  return {
    measuredAt: sample?.at ?? null,
    gpus: gpus.map((number) => {
      const index = wholeNumber(number);
      const use = sample?.gpus.find((each) => each.index === index);
      const { gpuUtilPercent = 0, memoryUtilPercent = 0 } = use ?? {};
      return { id: String(index), gpuUtilPercent, memoryUtilPercent };
    }),
    container: {
      cpuPercent: sample?.cpuPercent ?? 0,
      memoryPercent: sample?.memoryPercent ?? 0,
    },
  };
}

/** The runtimes of workers, in their order. A worker has no public ports. */
export async function workerRuntimesOf(
  deps: RuntimeDeps,
  workers: readonly Worker[],
): Promise<(PodRuntime | null)[]> {
  const running = workers.filter(({ observed }) => observed === "running");
  const latest = await latestOn(deps, new Set(running.map(({ machine }) => machine)));
  const now = deps.clock.now();
  return workers.map((worker) => {
    const uptimeInSeconds = workerUptime(worker, now);
    if (uptimeInSeconds === null) return null;
    return { uptimeInSeconds, ports: [], ...useOf(worker.gpus, latest(worker)) };
  });
}

/** In whole seconds; null for a worker that does not run. */
export function workerUptime({ observed, startedAt }: Worker, now: number): number | null {
  return observed === "running" ? uptimeSince(startedAt, now) : null;
}

/** HTTP ports are reached through the proxy only, so no public port leads to them. */
function portsOf({ desired: { spec }, observed: { portMappings, publicIp } }: Pod): RuntimePort[] {
  const ip = publicIp ?? "127.0.0.1";
  return spec.ports.flatMap((port): RuntimePort[] => {
    const [number, type] = port.split("/");
    const privatePort = Number(number);
    if (type === "http") {
      return [{ ip, isIpPublic: false, privatePort, publicPort: privatePort, type }];
    }
    const publicPort = portMappings[privatePort];
    if (publicPort === undefined || type !== "tcp") return [];
    return [{ ip, isIpPublic: true, privatePort, publicPort, type }];
  });
}
