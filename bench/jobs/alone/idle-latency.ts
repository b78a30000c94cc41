// Idle latency: the time from a submit to the receipt by a worker whose poll is held, one job at a time on an idle
// service, and the cost of a bare sync on the same disk.
import { setTimeout as pause } from "node:timers/promises";
import { Connection, requestText } from "../connection.ts";
import { measureSync, type SyncCost } from "../host/disk-sync.ts";
import type { StartedPeer } from "../peers.ts";
import { Latencies } from "../report/latencies.ts";

const WARM_UP_JOBS = 50;
/** Long enough for the worker's poll to be held and for the service to be idle again. */
const SETTLE_MS = 3;

export interface IdleLatency {
  p50Ms: number;
  p99Ms: number;
  /** The mean of a measurement before and one after. */
  sync: SyncCost;
}

/** `taking` is the server that the worker polls: the same or another replica. `folder` is on the measured disk. */
export async function measureIdle(
  server: StartedPeer,
  taking: StartedPeer,
  folder: string,
  jobs: number,
): Promise<IdleLatency> {
  const before = measureSync(folder, jobs);
  const latencies = new Latencies();
  const client = await Connection.open(server.port);
  const worker = await Connection.open(taking.port);
  for (let n = 0; n < WARM_UP_JOBS + jobs; n++) {
    const tookMs = await oneJob(server, client, worker);
    if (n >= WARM_UP_JOBS) latencies.add(tookMs);
  }
  client.close();
  worker.close();
  const after = measureSync(folder, jobs);
  const sync = {
    p50Ms: (before.p50Ms + after.p50Ms) / 2,
    p99Ms: (before.p99Ms + after.p99Ms) / 2,
  };
  return { p50Ms: latencies.at(0.5), p99Ms: latencies.at(0.99), sync };
}

async function oneJob(
  { endpointId, key, workers }: StartedPeer,
  client: Connection,
  worker: Connection,
): Promise<number> {
  const base = `/v2/${endpointId}`;
  const { id, key: workerKey } = workers[0]!;
  const take = requestText("GET", `${base}/job-take/${id}?gpu=X&job_in_progress=0`, workerKey);
  const received = worker.send(take).then((reply) => ({ reply, at: performance.now() }));
  await pause(SETTLE_MS);
  const startedAt = performance.now();
  const input = `{"input":{"text":"${"x".repeat(189)}"}}`;
  const submitted = await client.send(requestText("POST", `${base}/run`, key, input));
  const { reply, at } = await received;
  const job = JSON.parse(reply.body).id;
  if (job !== JSON.parse(submitted.body).id) throw new Error(`not the job: ${reply.body}`);
  const done = `${base}/job-done/${id}/${job}?gpu=X&isStream=false`;
  const form = "application/x-www-form-urlencoded";
  const { status } = await worker.send(requestText("POST", done, workerKey, '{"output":1}', form));
  if (status !== 200) throw new Error(`job-done: ${status}`);
  return at - startedAt;
}
