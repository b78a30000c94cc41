// Clients of the run: they submit, cancel and read, and record the responses.

import { pauseMs } from "../fixtures/time/pace.ts";
import type { Connection } from "./connection.ts";
import type { Ledger } from "./ledger.ts";
import { type PlannedJob, planned } from "./plan.ts";

export interface Submissions {
  endpointId: string;
  key: string;
  jobs: number;
  /** How many jobs may have been submitted by now, so that they are spread over the whole run. */
  allowed: number;
  next: number;
}

/** Tens of reads between two failures; more would be most of the load. */
const READ_EVERY_MS = 20;

/** Submits one job after the other until all are acknowledged. */
export async function submitAll(
  connection: Connection,
  ledger: Ledger,
  submissions: Submissions,
): Promise<void> {
  while (submissions.next < submissions.jobs) {
    if (submissions.next >= submissions.allowed) {
      await pauseMs(10);
      continue;
    }
    await submitOne(connection, ledger, submissions, planned(submissions.next++));
  }
}

async function submitOne(
  connection: Connection,
  ledger: Ledger,
  { endpointId, key }: Submissions,
  job: PlannedJob,
): Promise<void> {
  const path = `/v2/${endpointId}`;
  const operation = job.kind === "sync" ? "runsync?wait=2000" : "run";
  const submit = {
    method: "POST" as const,
    path: `${path}/${operation}`,
    key,
    body: job.body,
    headers: { "idempotency-key": `job-${job.n}` },
  };
  const answer = await connection.insist(submit, () => ledger.repeated.submits++);
  if (!answer) return;
  if (answer.status !== 200) {
    ledger.wrongs.push(`job ${job.n} was refused: ${answer.status} ${answer.text}`);
    return;
  }
  const { id } = JSON.parse(answer.text) as { id: string };
  ledger.acknowledged.set(job.n, id);
  note(ledger, answer.text);
  if (job.kind !== "cancelled") return;
  const cancel = { method: "POST" as const, path: `${path}/cancel/${id}`, key };
  const ended = await connection.insist(cancel);
  if (ended) ledger.cancelled.set(id, (JSON.parse(ended.text) as { status: string }).status);
}

/** Reads jobs at random: a status that was final once must not change. */
export async function readOn(
  connection: Connection,
  ledger: Ledger,
  { endpointId, key }: Submissions,
): Promise<void> {
  while (!connection.over) {
    await pauseMs(READ_EVERY_MS);
    const n = Math.floor(Math.random() * ledger.acknowledged.size);
    const id = ledger.acknowledged.get(n);
    if (id === undefined) continue;
    const path = `/v2/${endpointId}/status/${id}`;
    const answer = await connection.ask({ method: "GET", path, key });
    if (answer && answer.status !== 200) {
      ledger.wrongs.push(`job ${n} was acknowledged as ${id}, and then: ${answer.text}`);
    } else if (answer) note(ledger, answer.text);
  }
}

const FINAL = new Set(["COMPLETED", "FAILED", "CANCELLED", "TIMED_OUT"]);

/** Records a final answer, and compares it with the previous one. */
function note(ledger: Ledger, text: string): void {
  const job = JSON.parse(text) as { id: string; status: string; output?: unknown };
  const before = ledger.shown.get(job.id);
  const output = job.output === undefined ? undefined : JSON.stringify(job.output);
  if (before && (before.status !== job.status || before.output !== output)) {
    ledger.wrongs.push(`job ${job.id} was shown ${before.status} and later ${job.status}`);
  }
  if (FINAL.has(job.status)) ledger.shown.set(job.id, { status: job.status, output });
}
