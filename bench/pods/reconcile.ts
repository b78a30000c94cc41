// A thousand Pods on the simulated driver: the time until all rented Pods run, and the cost of the
// reconcile pass each second afterwards.

import { setTimeout as realTime } from "node:timers/promises";
import { startService } from "./service.ts";

const AT_ONCE = 20;
const SECONDS = 10;

export interface Reconciled {
  pods: number;
  /** From the first request until the last Pod is observed running. */
  upMs: number;
  /** The CPU time of the whole service per idle second. */
  restCpuMs: number;
}

export async function measureReconcile(pods: number): Promise<Reconciled> {
  const service = await startService("simulated", null);
  try {
    const body = { imageName: "i", driver: "simulated", computeType: "CPU", ports: [] };
    const before = performance.now();
    for (let n = 0; n < pods; n += AT_ONCE) {
      const some = Array.from({ length: AT_ONCE }, () => service.call("POST", "/v1/pods", body));
      await Promise.all(some);
    }
    const allRun = async () => {
      const all: { publicIp: string | null }[] = await service.call("GET", "/v1/pods");
      return all.every(({ publicIp }) => publicIp !== null);
    };
    while (!(await allRun())) await realTime(20);
    const upMs = performance.now() - before;
    await realTime(2_000);
    const cpu = process.cpuUsage();
    await realTime(SECONDS * 1_000);
    const { user, system } = process.cpuUsage(cpu);
    return { pods, upMs, restCpuMs: (user + system) / 1_000 / SECONDS };
  } finally {
    await service.stop();
  }
}
