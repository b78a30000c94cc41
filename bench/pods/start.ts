// The time from the request for a Pod to its running container, compared with a bare `docker run`
// of the same image on the same engine, in alternation.

import { execFileSync } from "node:child_process";
import { setTimeout as realTime } from "node:timers/promises";
import { systemClock } from "../../src/base/clock.ts";
import { removeMachine } from "../../test/fixtures/docker/docker-driver-harness.ts";
import { docker, ensureShellImage, sharedEngine } from "../../test/fixtures/docker/engine.ts";
import { type BenchService, startService } from "./service.ts";

export interface Started {
  rounds: number;
  /** On the network that all containers share. */
  bareMs: number;
  /** On its own network, as each account's Pods have. */
  apartMs: number;
  podMs: number;
}

/** Medians. */
export async function measureStart(rounds: number): Promise<Started> {
  const host = await sharedEngine();
  const image = ensureShellImage(host);
  const service = await startService("docker", host);
  const network = `${service.machine}-bench`;
  docker(host, "network", "create", network);
  const [bare, apart, pod]: [number[], number[], number[]] = [[], [], []];
  try {
    // The first Pod creates the account's network.
    for (let n = -1; n < rounds; n++) {
      const ran = await bareRun(host, image, "bridge");
      const ranApart = await bareRun(host, image, network);
      const began = await podRun(service, host, image);
      if (n < 0) continue;
      bare.push(ran);
      apart.push(ranApart);
      pod.push(began);
    }
    return { rounds, bareMs: median(bare), apartMs: median(apart), podMs: median(pod) };
  } finally {
    await service.stop();
    docker(host, "network", "rm", network);
    removeMachine((...args) => docker(host, ...args), service.machine);
  }
}

async function bareRun(host: string, image: string, network: string): Promise<number> {
  const before = performance.now();
  const limits = ["--cpus", "2", "--memory", "4g", "--network", network];
  const args = ["--host", host, "run", "--detach", ...limits, image, "sleep", "600"];
  const id = execFileSync("docker", args, { encoding: "utf8" }).trim();
  const took = performance.now() - before;
  docker(host, "rm", "--force", id);
  await realTime(REST_MS);
  return took;
}

/** Waits for the engine to finish its work on the previous container. */
const REST_MS = 500;

async function podRun(service: BenchService, host: string, image: string): Promise<number> {
  const body = { imageName: image, computeType: "CPU", ports: [], volumeInGb: 0 };
  const command = { dockerEntrypoint: ["sleep"], dockerStartCmd: ["600"] };
  const before = performance.now();
  const response = await service.call("POST", "/v1/pods", { ...body, ...command });
  const { id } = response as { id: string };
  const subscription = service.subscriptionTo(id);
  for (;;) {
    const read = await service.call("GET", `/v1/pods/${id}`);
    if ((read as { publicIp: string | null }).publicIp !== null) break;
    await subscription.wait(systemClock, 1_000);
  }
  const took = performance.now() - before;
  subscription.close();
  await service.call("DELETE", `/v1/pods/${id}`);
  const label = `label=freehold.workload=${id}`;
  while (docker(host, "ps", "--all", "--quiet", "--filter", label) !== "") await realTime(50);
  await realTime(REST_MS);
  return took;
}

const median = (all: number[]) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)]!;
