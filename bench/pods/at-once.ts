// The time until many Pods run that were requested at once, compared with as many `docker run` in a loop, on the same kind
// of network.

import { setTimeout as realTime } from "node:timers/promises";
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
    const loopMs = await runInLoop(place, pods);
    return { pods, loopMs, podsMs: await startPods(place, pods) };
  });

async function runInLoop({ docker, network, run }: OnEngine, times: number): Promise<number> {
  const ids: string[] = [];
  const before = performance.now();
  for (let n = 0; n < times; n++) ids.push(await run(network));
  const took = performance.now() - before;
  // One by one: several at once can leave their network with an endpoint that the engine does not remove.
  for (const id of ids) await docker("rm", "--force", id);
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
