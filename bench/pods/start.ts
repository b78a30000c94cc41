// From the request for a Pod to its running container, beside a bare `docker run` of the same image on
// the same engine, one after the other in turn.

import { execFileSync } from "node:child_process";
import { setTimeout as realTime } from "node:timers/promises";
import { clear } from "../../src/drivers/docker/docker-bench.testing.ts";
import { docker, ensureShellImage, sharedEngine } from "../../src/drivers/docker/engine.testing.ts";
import { startService } from "./service.ts";

export interface Started {
  rounds: number;
  bareMs: number;
  podMs: number;
}

/** Medians. */
export async function measureStart(rounds: number): Promise<Started> {
  const host = await sharedEngine();
  const image = ensureShellImage(host);
  const service = await startService("docker", host);
  const [bare, pod]: [number[], number[]] = [[], []];
  try {
    // The first one makes the account's network.
    for (let n = -1; n < rounds; n++) {
      const [ran, began] = [bareRun(host, image), await podRun(service, image)];
      if (n < 0) continue;
      bare.push(ran);
      pod.push(began);
    }
    return { rounds, bareMs: median(bare), podMs: median(pod) };
  } finally {
    await service.stop();
    clear((...args) => docker(host, ...args), service.machine);
  }
}

function bareRun(host: string, image: string): number {
  const before = performance.now();
  const limits = ["--cpus", "2", "--memory", "4g", "--network", "bridge"];
  const args = ["--host", host, "run", "--detach", ...limits, image, "sleep", "600"];
  const id = execFileSync("docker", args, { encoding: "utf8" }).trim();
  const took = performance.now() - before;
  docker(host, "rm", "--force", id);
  return took;
}

async function podRun(service: Awaited<ReturnType<typeof startService>>, image: string) {
  const body = { imageName: image, computeType: "CPU", ports: [], volumeInGb: 0 };
  const command = { dockerEntrypoint: ["sleep"], dockerStartCmd: ["600"] };
  const before = performance.now();
  const made = await service.call("POST", "/v1/pods", { ...body, ...command });
  const { id } = made as { id: string };
  for (;;) {
    const read = await service.call("GET", `/v1/pods/${id}`);
    if ((read as { publicIp: string | null }).publicIp !== null) break;
    await realTime(2);
  }
  const took = performance.now() - before;
  await service.call("DELETE", `/v1/pods/${id}`);
  while (((await service.call("GET", "/v1/pods")) as unknown[]).length > 0) await realTime(20);
  await realTime(500);
  return took;
}

const median = (all: number[]) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)]!;
