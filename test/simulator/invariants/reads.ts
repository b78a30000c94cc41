// What clients read agrees with the store: the state of a job, the counts of a queue, and the list of Pods.

import type { JobState } from "../../../src/domain/job/moves.ts";
import { liveEndpoints, pick, type Simulation } from "../model.ts";
import { type Invariant, query, violate } from "./invariant.ts";

export function readInvariants(): Invariant[] {
  return [checkQueue, checkJob, checkPods];
}

const QUEUE_STATES: Record<string, JobState[]> = {
  inQueue: ["IN_QUEUE", "DELAYED"],
  inProgress: ["IN_PROGRESS"],
};

async function checkQueue(simulation: Simulation): Promise<void> {
  const live = liveEndpoints(simulation);
  if (live.length === 0) return;
  const { id, account } = pick(simulation, live);
  const answer = await simulation.call(account, "GET", `/v2/${id}/health`);
  if (answer.status !== 200 || answer.fault) return;
  const found = await query<{ state: JobState; n: number }>(
    simulation,
    `select state, count(*) as n from job where endpoint_id = '${id}' group by state`,
  );
  const stored = new Map(found.map(({ state, n }) => [state, Number(n)]));
  for (const [field, states] of Object.entries(QUEUE_STATES)) {
    const expected = states.reduce((sum, state) => sum + (stored.get(state) ?? 0), 0);
    if (answer.json.jobs[field] !== expected)
      violate("a queue is shown as it is", { id, shown: answer.json.jobs, stored: found });
  }
}

async function checkJob(simulation: Simulation): Promise<void> {
  const jobs = [...simulation.model.jobs.values()].filter(({ endpoint }) => !endpoint.isDeleted);
  if (jobs.length === 0) return;
  const { id, endpoint } = pick(simulation, jobs);
  const answer = await simulation.call(endpoint.account, "GET", `/v2/${endpoint.id}/status/${id}`);
  if (answer.status !== 200 || answer.fault) return;
  const [row] = await query<{ state: string; output: string | null }>(
    simulation,
    `select state, output from job where id = '${id}'`,
  );
  const shown = answer.json.status;
  const expected = row?.state === "DELAYED" ? "IN_QUEUE" : row?.state;
  if (shown !== expected) violate("a job is shown as it is", { id, shown, stored: row ?? null });
}

async function checkPods(simulation: Simulation): Promise<void> {
  const account = pick(simulation, simulation.model.accounts);
  const answer = await simulation.call(account, "GET", "/v1/pods");
  if (answer.status !== 200 || answer.fault) return;
  const stored = await query<{ id: string; state: string }>(
    simulation,
    `select id, state from pod where account_id = '${account.id}' and state <> 'TERMINATED'`,
  );
  const states = new Map(stored.map(({ id, state }) => [id, state]));
  const shown = answer.json as { id: string; desiredStatus: string }[];
  const wrong = shown.find(({ id, desiredStatus }) => states.get(id) !== desiredStatus);
  if (wrong || shown.length !== stored.length)
    violate("Pods are shown as they are", { shown: wrong ?? shown.length, stored });
}
