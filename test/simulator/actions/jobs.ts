// Jobs with every policy: submitted, cancelled, purged, tried again, and read while they run.

import {
  type KnownEndpoint,
  type KnownJob,
  liveEndpoints,
  newName,
  oneIn,
  pick,
  type Simulation,
  whole,
} from "../model.ts";
import type { Action } from "./action.ts";

/** The limit of a concurrency key is always the same, as clients of one program would have it. */
export const KEYS: Record<string, number> = { a: 1, b: 2, c: 1 };
const CRONS = ["0 */8 * * *", "15 3 * * *", "30 2 * * 0", "0 0 1 * *"];

export const jobActions: Record<string, Action> = {
  submitJobs: { weight: 30, run: submitJobs },
  cancelJob: { weight: 5, run: (simulation) => onJob(simulation, false, "cancel") },
  retryJob: { weight: 5, run: (simulation) => onJob(simulation, true, "retry") },
  readJob: { weight: 6, run: (simulation) => onJob(simulation, oneIn(simulation, 2), "status") },
  purgeQueue: { weight: 1, run: purgeQueue },
  createSchedule: { weight: 2, run: createSchedule },
  changeSchedule: { weight: 2, run: changeSchedule },
};

async function submitJobs(simulation: Simulation) {
  const live = liveEndpoints(simulation);
  if (live.length === 0) return false;
  const endpoint = pick(simulation, live);
  for (let left = whole(simulation, 1, 6); left > 0; left--) await submit(simulation, endpoint);
}

/** Draws what it needs before it calls, so that several may be under way. */
export async function submit(
  simulation: Simulation,
  endpoint: KnownEndpoint,
  call = simulation.call,
): Promise<void> {
  const { model, coverage } = simulation;
  const input = { n: newName(simulation), at: simulation.world.now };
  const policy = policyOf(simulation);
  const body = { input, ...(Object.keys(policy).length > 0 && { policy }) };
  const { status, json } = await call(endpoint.account, "POST", `/v2/${endpoint.id}/run`, body);
  if (status !== 200) return;
  for (const member of Object.keys(policy)) coverage.count("policy", member);
  model.jobs.set(json.id, { id: json.id, endpoint, input: JSON.stringify(input), end: null });
}

function policyOf(simulation: Simulation): Record<string, unknown> {
  const key = pick(simulation, Object.keys(KEYS));
  const seconds = (low: number, high: number) => 1_000 * whole(simulation, low, high);
  return {
    ...(oneIn(simulation, 3) && { concurrency: { key, limit: KEYS[key] } }),
    ...(oneIn(simulation, 4) && { priority: whole(simulation, -2, 2) }),
    ...(oneIn(simulation, 8) && { lowPriority: true }),
    ...(oneIn(simulation, 6) && { executionTimeout: seconds(5, 60) }),
    ...(oneIn(simulation, 4) && { ttl: seconds(10, pick(simulation, [40, 90, 7_200])) }),
    ...(oneIn(simulation, 6) && { delay: whole(simulation, 1, 3_600) }),
    ...(oneIn(simulation, 4) && { retry: retryOf(simulation) }),
  };
}

const retryOf = (simulation: Simulation) => ({
  maxAttempts: whole(simulation, 2, 4),
  on: pick(simulation, [["error"], ["error", "workerLost"], ["error", "workerLost", "timeout"]]),
  delay: whole(simulation, 0, 30),
});

async function onJob(
  simulation: Simulation,
  isEnded: boolean,
  operation: "cancel" | "retry" | "status",
) {
  const candidates = [...simulation.model.jobs.values()].filter(
    ({ end, endpoint }) => (end !== null) === isEnded && !endpoint.isDeleted,
  );
  if (candidates.length === 0) return false;
  const job = pick(simulation, candidates);
  const { account, id } = job.endpoint;
  const method = operation === "status" ? "GET" : "POST";
  const answer = await simulation.call(account, method, `/v2/${id}/${operation}/${job.id}`);
  const { status, json, fault } = answer;
  // A struck answer does not tell whether the job was tried again; its next state does.
  if (operation === "retry" && (status === 200 || fault)) retried(job);
  simulation.coverage.count("status", `${operation} ${status} ${json?.status ?? ""}`);
}

function retried(job: KnownJob): void {
  job.end = null;
}

async function purgeQueue(simulation: Simulation) {
  const live = liveEndpoints(simulation);
  if (live.length === 0) return false;
  const { account, id } = pick(simulation, live);
  await simulation.call(account, "POST", `/v2/${id}/purge-queue`);
}

async function createSchedule(simulation: Simulation) {
  const live = liveEndpoints(simulation);
  const { model } = simulation;
  if (live.length === 0 || model.schedules.length > 3) return false;
  const { account, id: endpointId } = pick(simulation, live);
  const { status, json } = await simulation.call(account, "POST", "/v1/schedules", {
    endpointId,
    name: newName(simulation),
    cron: pick(simulation, CRONS),
    input: {},
    timeZone: pick(simulation, ["UTC", "Europe/Berlin", "America/New_York"]),
    missedRunPolicy: pick(simulation, ["SKIP", "RUN_ONCE", "RUN_ALL"]),
    concurrencyPolicy: pick(simulation, ["ALLOW", "FORBID", "REPLACE"]),
  });
  if (status < 300) model.schedules.push({ id: json.id, account, changedAt: simulation.world.now });
}

async function changeSchedule(simulation: Simulation) {
  const { model } = simulation;
  if (model.schedules.length === 0) return false;
  const schedule = pick(simulation, model.schedules);
  const { id, account } = schedule;
  schedule.changedAt = simulation.world.now;
  const operation = pick(simulation, ["pause", "resume", "run", "delete"]);
  if (operation !== "delete") {
    await simulation.call(account, "POST", `/v1/schedules/${id}/${operation}`);
    return;
  }
  await simulation.call(account, "DELETE", `/v1/schedules/${id}`);
  model.schedules = model.schedules.filter((each) => each.id !== id);
}
