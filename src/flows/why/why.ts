// Explaining a job, a worker, a Pod, an endpoint or a schedule. The facts are collected here from the store and the
// drivers; the domain turns them into an explanation.

import { Fault } from "../../domain/fault.ts";
import { lastErrorText } from "../../domain/gpu/health-record.ts";
import { overdueEndMs } from "../../domain/pod/container/overdue-end.ts";
import type { Pod } from "../../domain/pod/pod.ts";
import { whyQueuedPod } from "../../domain/queued-pod/why.ts";
import type { Asker } from "../../domain/reservation/reservation.ts";
import type { Answer } from "../../domain/why/answer.ts";
import { whyEndpoint } from "../../domain/why/endpoint.ts";
import { whyJob } from "../../domain/why/job.ts";
import { type PodFacts, whyPod } from "../../domain/why/pod.ts";
import { whySchedule } from "../../domain/why/schedule.ts";
import { whyWorker } from "../../domain/why/worker.ts";
import { findEndpointOrDeleted } from "../../store/endpoint/endpoint.ts";
import type { Store } from "../../store/engine/store.ts";
import { findKeptJob } from "../../store/job/find.ts";
import { findPod } from "../../store/pod/row.ts";
import { isEndUnseen } from "../../store/pod/unseen-end.ts";
import { findSchedule } from "../../store/schedule/schedule.ts";
import { findWorker } from "../../store/worker/worker.ts";
import { requireOperator } from "../../transactions/account/require-operator.ts";
import { readLenders } from "../../transactions/place/lent.ts";
import { listMachines } from "../machine/list.ts";
import { locationOf } from "../pod/dial.ts";
import { findQueuedView } from "../queued-pod/read.ts";
import { readStandingInLine } from "../queued-pod/standing.ts";
import { scheduleFacts } from "../schedule/schedule-facts.ts";
import { lastLines, type WhyDeps } from "./collect-facts.ts";
import { jobFacts } from "./job-facts.ts";
import { queueFacts } from "./queue-facts.ts";
import { workerFacts } from "./worker-facts.ts";

export interface Explained extends Answer {
  id: string;
  kind: "job" | "worker" | "pod" | "endpoint" | "schedule";
}

/** Throws `subject_not_found` if the account has no resource with this id. */
export async function why(
  deps: WhyDeps,
  { accountId, memberId }: Asker,
  id: string,
): Promise<Explained> {
  const { store, clock } = deps;
  const now = clock.now();
  const job = await store.read(findKeptJob, id, now);
  if (job) {
    const endpoint = await own(store, accountId, job.endpointId, id);
    return { id, kind: "job", ...whyJob(await jobFacts(deps, endpoint, job, now), now) };
  }
  const worker = await store.read(findWorker, id);
  if (worker) {
    const endpoint = await own(store, accountId, worker.endpointId, id);
    return { id, kind: "worker", ...whyWorker(await workerFacts(deps, endpoint, worker), now) };
  }
  // The line first: a Pod that is created between the two reads is then found.
  const queued = await findQueuedView(deps, accountId, id);
  const pod = await store.read(findPod, id);
  if (pod?.accountId === accountId && pod.desired.state !== "TERMINATED") {
    return { id, kind: "pod", ...whyPod(await podFacts(deps, pod), now) };
  }
  if (queued) {
    const standing = await store.read(readStandingInLine, queued.pod);
    return { id, kind: "pod", ...whyQueuedPod({ ...queued, standing, callerId: memberId }, now) };
  }
  const schedule = await store.read(findSchedule, id);
  if (schedule?.accountId === accountId) {
    const { lastRun } = await scheduleFacts(deps, schedule);
    return { id, kind: "schedule", ...whySchedule({ schedule, lastRun }, now) };
  }
  const endpoint = await own(store, accountId, id, id);
  const position = { ahead: 0, lowPriority: false };
  return { id, kind: "endpoint", ...whyEndpoint(await queueFacts(deps, endpoint, now, position)) };
}

async function own(store: Store, accountId: string, endpointId: string, id: string) {
  const endpoint = await store.read(findEndpointOrDeleted, endpointId);
  if (endpoint?.accountId !== accountId) throw new Fault("subject_not_found", { id });
  return endpoint;
}

async function podFacts(deps: WhyDeps, pod: Pod): Promise<PodFacts> {
  const machines = await listMachines(deps);
  const host = machines.find(({ machine }) => machine === pod.placement.machine);
  const now = deps.clock.now();
  const isUnseen = await deps.store.read(isEndUnseen, pod.id);
  return {
    pod,
    online: host?.online ?? false,
    inventory: host?.inventory ?? null,
    gpuError: lastErrorText(host?.gpuHealth.errors ?? {}, pod.id),
    overdueEndMs: isUnseen ? null : overdueEndMs(pod, now, deps.protocol),
    log: await lastLines(deps, locationOf(pod)),
    lenders: await deps.store.read(readLenders, pod, {
      since: now - deps.heartbeatTiming.goneMs,
      at: now,
    }),
    isOperator: (await deps.store.read(requireOperator, pod.accountId)) === null,
  };
}
