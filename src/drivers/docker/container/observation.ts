// The observation of a workload from the engine's description of its container. Pure.

import { constants } from "node:os";
import type { ContainerInspectInfo } from "dockerode";
import type { Observation, PortMapping } from "../../driver.ts";

/** Engines report an end by a signal as 128 plus its number, as shells do. */
const signals = new Map(
  Object.entries(constants.signals).map(([name, number]) => [128 + number, name]),
);

export function observationOf(id: string, container: ContainerInspectInfo): Observation {
  const { State: state, NetworkSettings: network } = container;
  const startedAt = Date.parse(state.StartedAt);
  if (isRunning(state.Status)) {
    const ports = mappings(network.Ports);
    const address = Object.values(network.Networks ?? {}).find((each) => each.IPAddress)?.IPAddress;
    return {
      id,
      state: "running",
      startedAt,
      endedAt: null,
      exitCode: null,
      signal: null,
      ...(ports.length > 0 && { ports }),
      ...(address && { address }),
    };
  }
  const signal = signals.get(state.ExitCode) ?? null;
  return {
    id,
    state: "ended",
    startedAt,
    endedAt: Math.max(startedAt, Date.parse(state.FinishedAt)),
    exitCode: signal === null ? state.ExitCode : null,
    signal,
    // The engine reports any process in the container that was killed for memory.
    ...(state.OOMKilled && (state.ExitCode === 0 ? { childOom: true } : { oom: true })),
  };
}

/** The time after its end in which the engine can still learn that a container exceeded its memory limit. */
const OOM_NEWS_MS = 1_000;

/** Killed a moment ago below a memory limit, without a reason so far. */
export function mayBeOutOfMemory(
  { State, HostConfig }: ContainerInspectInfo,
  now: number,
): boolean {
  if (isRunning(State.Status) || State.OOMKilled || !HostConfig.Memory) return false;
  return (
    signals.get(State.ExitCode) === "SIGKILL" && now - Date.parse(State.FinishedAt) < OOM_NEWS_MS
  );
}

/** A paused container has not ended: it can be resumed. Podman reports one that got its signal as stopping. */
export function isRunning(status: string): boolean {
  return ["running", "paused", "restarting", "stopping"].includes(status);
}

/** Created and never started; an interrupted removal of such a container leaves it dead, not ended. */
export function neverRan({ Status, StartedAt }: ContainerInspectInfo["State"]): boolean {
  return Status === "created" || !(Date.parse(StartedAt) > 0);
}

function mappings(ports: ContainerInspectInfo["NetworkSettings"]["Ports"]): PortMapping[] {
  return Object.entries(ports ?? {}).flatMap(([name, bindings]) => {
    const [container, protocol] = name.split("/");
    const hostPort = Number(bindings?.[0]?.HostPort ?? 0);
    if (hostPort === 0) return [];
    return [{ container: Number(container), protocol: protocol as "tcp" | "udp", hostPort }];
  });
}
