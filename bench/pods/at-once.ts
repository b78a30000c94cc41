// The time until many Pods run that were requested at once, compared with as many `docker run` in a loop, on the same kind
// of network.

import { setTimeout as realTime } from "node:timers/promises";
import { removeMachine } from "../../test/fixtures/docker/docker-driver-harness.ts";
import { docker, ensureShellImage, sharedEngine } from "../../test/fixtures/docker/engine.ts";
import { type BenchService, startService } from "./service.ts";

export interface AtOnce {
  pods: number;
  loopMs: number;
  /** From the first request until the last Pod is observed running. */
  podsMs: number;
}

export async function measureAtOnce(pods: number): Promise<AtOnce> {
  const host = await sharedEngine();
  const image = ensureShellImage(host);
  const service = await startService("docker", host);
  const network = `${service.machine}-bench`;
  docker(host, "network", "create", network);
  try {
    // The first Pod creates the account's network.
    await startPods(service, image, 1);
    const loopMs = runInLoop(host, image, network, pods);
    return { pods, loopMs, podsMs: await startPods(service, image, pods) };
  } finally {
    await service.stop();
    removeMachine((...args) => docker(host, ...args), service.machine);
    docker(host, "network", "rm", network);
  }
}

function runInLoop(host: string, image: string, network: string, times: number): number {
  const limits = ["--cpus", "2", "--memory", "4g", "--network", network];
  const ids: string[] = [];
  const before = performance.now();
  for (let n = 0; n < times; n++)
    ids.push(docker(host, "run", "--detach", ...limits, image, "sleep", "600"));
  const took = performance.now() - before;
  docker(host, "rm", "--force", ...ids);
  return took;
}

async function startPods(service: BenchService, image: string, pods: number): Promise<number> {
  const body = {
    ...{ imageName: image, computeType: "CPU", ports: [], volumeInGb: 0 },
    ...{ dockerEntrypoint: ["sleep"], dockerStartCmd: ["600"] },
  };
  const before = performance.now();
  const ids = await Promise.all(
    Array.from({ length: pods }, async () => {
      const { id }: { id: string } = await service.call("POST", "/v1/pods", body);
      return id;
    }),
  );
  for (;;) {
    const all: { publicIp: string | null }[] = await service.call("GET", "/v1/pods");
    if (all.filter(({ publicIp }) => publicIp !== null).length >= ids.length) break;
    await realTime(50);
  }
  const took = performance.now() - before;
  for (const id of ids) await service.call("DELETE", `/v1/pods/${id}`);
  while ((await service.call<unknown[]>("GET", "/v1/pods")).length > 0) await realTime(50);
  return took;
}
