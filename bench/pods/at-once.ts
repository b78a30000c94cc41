// The time until many Pods run that were requested at once, compared with as many `docker run` in a loop, on the same kind
// of network.

import { setTimeout as realTime } from "node:timers/promises";
import { docker } from "../../test/fixtures/docker/engine.ts";
import { type OnEngine, onEngine } from "./on-engine.ts";

export interface AtOnce {
  pods: number;
  loopMs: number;
  /** From the first request until the last Pod is observed running. */
  podsMs: number;
}

export const measureAtOnce = (pods: number): Promise<AtOnce> =>
  onEngine(async (place) => {
    // The first Pod creates the account's network.
    await startPods(place, 1);
    const loopMs = runInLoop(place, pods);
    return { pods, loopMs, podsMs: await startPods(place, pods) };
  });

function runInLoop({ host, network, run }: OnEngine, times: number): number {
  const ids: string[] = [];
  const before = performance.now();
  for (let n = 0; n < times; n++) ids.push(run(network));
  const took = performance.now() - before;
  docker(host, "rm", "--force", ...ids);
  return took;
}

async function startPods({ service, pod }: OnEngine, pods: number): Promise<number> {
  const before = performance.now();
  const ids = await Promise.all(
    Array.from({ length: pods }, async () => {
      const { id }: { id: string } = await service.call("POST", "/v1/pods", pod);
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
