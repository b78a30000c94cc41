// A service for Pods on the simulated driver, with short times and a machine of known size.

import type { TestContext } from "node:test";
import {
  type ServiceOptions,
  startService,
  type TestService,
} from "../fixtures/service/service.ts";

export const MACHINE = { vcpus: 64, memoryInGb: 256, diskInGb: 2_000 };

export interface PodJson {
  id: string;
  desiredStatus: string;
  publicIp: string | null;
  portMappings: Record<string, number>;
  machineId: string;
  lastStartedAt?: string;
  lastStatusChange: string;
  cpuFlavorId?: string;
  vcpuCount?: number;
  memoryInGb?: number;
  gpuCount: number;
  gpu?: { count: number };
}

export function simulatedService(
  t: TestContext,
  options: ServiceOptions = {},
): Promise<TestService> {
  return startService(t, {
    ...options,
    drivers: "simulated",
    protocol: { endGraceMs: 200, ...options.protocol },
    env: { FREEHOLD_MACHINE: JSON.stringify(MACHINE), ...options.env },
  });
}

export function podsOf(service: Pick<TestService, "call">) {
  const get = async (id: string) => (await service.call("GET", `/v1/pods/${id}`)).json as PodJson;
  return {
    get,
    reached: async (id: string) => {
      const pod = await get(id);
      return pod.publicIp === null ? null : pod;
    },
    /** The Pod once its container has ended, or its machine is lost. */
    unreached: async (id: string) => {
      const pod = await get(id);
      if (pod.publicIp !== null) return null;
      if (pod.lastStatusChange.startsWith("Machine lost")) return pod;
      const events = (await service.call("GET", `/v1/pods/${id}/events`)).json;
      const last = events.find(({ event }: { event: string }) => event.startsWith("container_"));
      return last?.event === "container_running" ? null : pod;
    },
    exited: async (id: string) => {
      const pod = await get(id);
      return pod.desiredStatus === "EXITED" ? pod : null;
    },
  };
}
