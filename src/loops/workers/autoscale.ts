// Brings every endpoint to its desired number of workers: reads its queue and its workers, lets the
// domain decide, and writes the desired state. The reconcile loop carries it out.

import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import { type Drain, earliest, type Pause } from "../../domain/endpoint/fleet.ts";
import { decideFleet } from "../../domain/endpoint/fleet-plan.ts";
import { ENDPOINT_DELETED } from "../../domain/job/sentences.ts";
import { readFleet } from "../../flows/endpoint/fleet.ts";
import { endpointsToManage } from "../../store/endpoint/endpoint.ts";
import { topic } from "../../store/engine/notifier.ts";
import { endQueued } from "../../transactions/job/end.ts";
import type { EndpointFleet } from "../../transactions/place/hand-over.ts";
import { requestWorkerEnd } from "../../transactions/worker/request-end.ts";
import { Each } from "../engine/each.ts";
import type { Loop } from "../engine/loop.ts";
import { AUTOSCALE, type Lack, type WorkerStartDeps } from "./start-worker.ts";
import { startWorkers } from "./start-workers.ts";

export function autoscaleLoop(deps: WorkerStartDeps): Loop {
  return {
    name: AUTOSCALE,
    shared: true,
    periodMs: 1_000,
    restMs: 100,
    topics: [topic.fleet, topic.pods],
    async run() {
      const { clock, store } = deps;
      const fleets = new Map<string, EndpointFleet>();
      const lacks: Lack[] = [];
      const each = new Each();
      let again: number | null = null;
      for (const endpoint of await store.read(endpointsToManage)) {
        const tended = await each.try(() => tend(deps, endpoint));
        if (!tended) continue;
        const { fleet, plan, at } = tended;
        fleets.set(endpoint.id, { endpoint, fleet });
        const { oldestWaitingMs } = plan.reason.facts;
        if (plan.start > 0) lacks.push({ endpoint, fleet, start: plan.start, oldestWaitingMs });
        again = earliest(again, at);
      }
      // A plan that was carried out may call for another; plans settle within a few passes.
      return each.end((await startWorkers(deps, lacks, fleets, each)) ? clock.now() : again);
    },
  };
}

/** Decides for one endpoint, and drains what it has too many. */
async function tend(deps: WorkerStartDeps, endpoint: Endpoint) {
  const now = deps.clock.now();
  const { fleet, paused } = await deps.store.read(readFleet, endpoint, now);
  const plan = decideFleet(fleet);
  for (const { id, why } of plan.drain) {
    const desired = why === "unhealthy" ? "end" : "drain";
    await deps.store.write(requestWorkerEnd, id, desired, drainSentence(why, paused), now);
  }
  if (endpoint.deletedAt !== null) {
    const stop = { event: "cancel", error: ENDPOINT_DELETED } as const;
    await deps.store.write(endQueued, endpoint.id, stop, now, 200);
  }
  return { fleet, plan, at: plan.drain.length > 0 ? now : plan.wakeAt };
}

function drainSentence(why: Drain["why"], paused: Pause | null): string {
  if (why !== "workers_max" || paused === null) return drainSentences[why];
  return paused.code === "no_credits" ? "the account has no credits left" : paused.what;
}

const drainSentences = {
  idle: "it was idle for its whole idle timeout",
  workers_max: "there were more workers than workersMax",
  unhealthy: "it was unhealthy",
  outdated: "a newer version took its place",
};
