// What a Pod's running container is like: since when, by which ports, and what it uses.

import type { Clock } from "../../base/clock.ts";
import type { Pod } from "../../domain/pod/pod.ts";
import type { Sample } from "../../domain/usage/sample.ts";
import type { LogSources } from "../log/source.ts";
import { latestOn } from "../usage/read.ts";

export interface PodRuntime {
  uptimeInSeconds: number;
  ports: RuntimePort[];
  /** Of each GPU it has; what nobody measures (a virtual one, or no look yet) is 0. */
  gpus: { id: string; gpuUtilPercent: number; memoryUtilPercent: number }[];
  container: { cpuPercent: number; memoryPercent: number };
}

export interface RuntimePort {
  ip: string;
  isIpPublic: boolean;
  privatePort: number;
  publicPort: number;
  type: "tcp" | "http";
}

export interface RuntimeDeps extends LogSources {
  clock: Clock;
}

/** In the order of the Pods; null for those that do not run, or are not up yet. */
export async function runtimesOf(
  deps: RuntimeDeps,
  pods: readonly Pod[],
): Promise<(PodRuntime | null)[]> {
  const running = pods.filter(runs);
  const latest = await latestOn(deps, new Set(running.map(({ machine }) => machine)));
  const now = deps.clock.now();
  return pods.map((pod) => (runs(pod) ? runtimeOf(pod, latest[pod.id], now) : null));
}

function runs({ state, observed }: Pod): boolean {
  return state === "RUNNING" && observed === "running";
}

function runtimeOf(pod: Pod, sample: Sample | undefined, now: number): PodRuntime {
  const { startedAt, gpus } = pod;
  return {
    uptimeInSeconds: Math.max(0, Math.floor((now - (startedAt ?? now)) / 1_000)),
    ports: portsOf(pod),
    gpus: gpus.map((index) => {
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

/** Ports of http are reached through the proxy alone, so that no public port leads to them. */
function portsOf({ spec, portMappings, publicIp }: Pod): RuntimePort[] {
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
