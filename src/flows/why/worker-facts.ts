// The facts that explain a worker.

import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import { overdueSignalMs } from "../../domain/pod/container/overdue-end.ts";
import type { WorkerFacts } from "../../domain/why/worker.ts";
import type { StartInstants } from "../../domain/worker/cold-start.ts";
import { workerPhase } from "../../domain/worker/phase.ts";
import { type EndedWorker, isEndedWorker, type Worker } from "../../domain/worker/worker.ts";
import { jobIdsOfWorker } from "../../store/job/find.ts";
import { findWorkerWithJobs } from "../../store/worker/worker.ts";
import { listMachines } from "../machine/list.ts";
import { modelLoading } from "../worker/model-loading.ts";
import { lastLines, silentMachineOf, type WhyDeps } from "./collect-facts.ts";

export async function workerFacts(
  deps: WhyDeps,
  endpoint: Endpoint,
  worker: Worker,
): Promise<WorkerFacts> {
  const jobs = await deps.store.read(jobIdsOfWorker, worker.id);
  const counted = await deps.store.read(findWorkerWithJobs, worker.id);
  return {
    id: worker.id,
    phase: workerPhase({ ...worker, jobsHeld: counted?.jobsHeld ?? 0 }),
    driver: { name: worker.driver, here: deps.peers.offer(worker) },
    silentMachine: silentMachineOf(await listMachines(deps), worker),
    ...startOf(worker),
    freedAt: worker.freedAt,
    seenAt: worker.seenAt,
    served: worker.served,
    jobs,
    desireEnd: worker.desired !== "run",
    endReason: worker.desiredReason,
    unhealthy: worker.unhealthy,
    ended: isEndedWorker(worker) ? endOf(worker) : null,
    overdueEndMs: overdueSignalMs(worker, deps.clock.now(), deps.protocol),
    log: await lastLines(deps, worker),
    idleTimeoutMs: endpoint.spec.idleTimeout * 1_000,
    loading: await deps.store.read(modelLoading, worker),
    startupMs: deps.protocol.startupMs,
    ...(worker.serving && { serving: { finding: worker.health?.finding ?? null } }),
  };
}

const startOf = (worker: Worker): StartInstants => {
  const { createdAt, launchedAt, modelsAt, pullingAt, imageAt, startedAt, ...rest } = worker;
  const { processAt, loadedAt, readyAt } = rest;
  const program = { startedAt, processAt, loadedAt, readyAt };
  return { createdAt, launchedAt, modelsAt, pullingAt, imageAt, ...program };
};

function endOf({ endedAt: at, exitCode, signal, endCause }: EndedWorker) {
  return { at, exitCode, signal, ...(endCause !== null && { cause: endCause }) };
}
