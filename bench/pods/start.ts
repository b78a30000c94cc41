// The time from the request for a Pod to its running container, compared with a bare `docker run`
// of the same image on the same engine, in alternation.

import { setTimeout as realTime } from "node:timers/promises";
import { systemClock } from "../../src/base/clock.ts";
import { type OnEngine, onEngine } from "./on-engine.ts";

export interface Started {
  rounds: number;
  /** On the network that all containers share. */
  bareMs: number;
  /** On its own network, as each account's Pods have. */
  apartMs: number;
  podMs: number;
}

/** Medians. */
export const measureStart = (rounds: number): Promise<Started> =>
  onEngine(async (place) => {
    const [bare, apart, pod]: [number[], number[], number[]] = [[], [], []];
    // The first Pod creates the account's network.
    for (let n = -1; n < rounds; n++) {
      const ran = await bareRun(place, "bridge");
      const ranApart = await bareRun(place, place.network);
      const began = await podRun(place);
      if (n < 0) continue;
      bare.push(ran);
      apart.push(ranApart);
      pod.push(began);
    }
    return { rounds, bareMs: median(bare), apartMs: median(apart), podMs: median(pod) };
  });

async function bareRun({ docker, run }: OnEngine, network: string): Promise<number> {
  const before = performance.now();
  const id = await run(network);
  const took = performance.now() - before;
  await docker("rm", "--force", id);
  await realTime(REST_MS);
  return took;
}

/** Waits for the engine to finish its work on the previous container. */
const REST_MS = 500;

async function podRun({ service, docker, pod }: OnEngine): Promise<number> {
  const before = performance.now();
  const response = await service.call("POST", "/v1/pods", pod);
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
  while ((await docker("ps", "--all", "--quiet", "--filter", label)) !== "") await realTime(50);
  await realTime(REST_MS);
  return took;
}

const median = (all: number[]) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)]!;
