// A house for Pods on the fake driver, with short times and a machine of known size.

import type { TestContext } from "node:test";
import { type HouseOptions, startHouse, type TestHouse } from "../house.ts";

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

export function fakeHouse(t: TestContext, options: HouseOptions = {}): Promise<TestHouse> {
  return startHouse(t, {
    ...options,
    drivers: "fake",
    protocol: { endGraceMs: 200, ...options.protocol },
    env: { FREEHOLD_MACHINE: JSON.stringify(MACHINE), ...options.env },
  });
}

export function podsOf(house: Pick<TestHouse, "call">) {
  const get = async (id: string) => (await house.call("GET", `/v1/pods/${id}`)).json as PodJson;
  return {
    get,
    reached: async (id: string) => {
      const pod = await get(id);
      return pod.publicIp === null ? null : pod;
    },
    unreached: async (id: string) => {
      const pod = await get(id);
      return pod.publicIp === null ? pod : null;
    },
    exited: async (id: string) => {
      const pod = await get(id);
      return pod.desiredStatus === "EXITED" ? pod : null;
    },
  };
}

/** No test is about how long it takes: what has not come by then never will. */
const LONGEST_MS = 240_000;

export async function until<Result>(
  ask: (id: string) => Promise<Result | null | undefined>,
  id: string,
): Promise<Result> {
  for (const end = performance.now() + LONGEST_MS; performance.now() < end; ) {
    const answer = await ask(id);
    if (answer) return answer;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`what was waited for never came: ${ask}`);
}
