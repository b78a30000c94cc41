// What the explanation of a worker rests on.

import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import type { WorkerSeen } from "../../domain/why/worker.ts";
import { workerPhase } from "../../domain/worker/phase.ts";
import { jobsHeldBy } from "../../store/job/lease.ts";
import type { WorkerRow } from "../../store/worker/worker.ts";
import { known, lastLines, type WhyDeps } from "./look.ts";

export async function workerFacts(
  deps: WhyDeps,
  endpoint: Endpoint,
  worker: WorkerRow,
): Promise<WorkerSeen> {
  const held = await deps.store.read(jobsHeldBy, worker.id);
  const { ended_at: endedAt, exit_code: exitCode, signal, end_cause: cause } = worker;
  return {
    id: worker.id,
    phase: workerPhase({ ...worker, held: held.length }),
    driver: { name: worker.driver, here: deps.neighbours.offer(worker) },
    createdAt: worker.created_at,
    startedAt: worker.started_at,
    readyAt: worker.ready_at,
    freedAt: worker.freed_at,
    seenAt: worker.seen_at,
    served: worker.served,
    jobs: held.map(({ id }) => id),
    endWanted: worker.desired !== "run",
    endReason: worker.desired_reason,
    unhealthy: worker.unhealthy,
    ended: endedAt === null ? null : { at: endedAt, exitCode, signal, ...known(cause) },
    log: await lastLines(deps, worker),
    idleTimeoutMs: endpoint.spec.idleTimeout * 1_000,
    startupMs: deps.protocol.startupMs,
  };
}
