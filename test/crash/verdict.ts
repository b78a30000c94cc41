// Compares the acknowledgements with the final content of the database. It reads the database
// itself, independently of the service's code.

import type { Books } from "./books.ts";
import type { Ledger } from "./ledger.ts";
import { chunkOf, type JobInput, outputOf, planned } from "./plan.ts";

export interface Verdict {
  jobs: number;
  completed: number;
  cancelled: number;
  /** Failed because two dispatches in a row were lost with the service. */
  givenUp: number;
  /** Dispatched a second time because the first was lost with the service. */
  dispatchedAgain: number;
  chunks: number;
  /** Every broken promise, a sentence each. */
  broken: string[];
}

interface Row {
  seq: number;
  id: string;
  state: string;
  input: string;
  output: string | null;
  error: string | null;
  attempts: number;
  retries: number;
}

export async function judge(books: Books, ledger: Ledger, jobs: number): Promise<Verdict> {
  const rows = await readRows(books);
  const chunks = await readChunks(books);
  const broken = [...ledger.wrongs, ...(await books.damage()), ...(await tallies(books))];
  const ids = new Map(rows.map((row) => [row.id, row]));
  if (rows.length !== jobs) broken.push(`${rows.length} jobs are there, not ${jobs}`);
  if (ids.size !== rows.length) broken.push("two jobs have one id");
  for (let n = 0; n < jobs; n++) {
    const id = ledger.acknowledged.get(n);
    const row = id === undefined ? undefined : ids.get(id);
    if (!row) broken.push(`job ${n}, acknowledged as ${id}, is not there`);
    else {
      const own = chunks.filter(({ job_seq }) => job_seq === row.seq);
      broken.push(...faultsOf(row, own, n, ledger).map((what) => `job ${n}: ${what}`));
    }
  }
  await books.close();
  const count = (test: (row: Row) => boolean) => rows.filter(test).length;
  return {
    jobs: rows.length,
    completed: count(({ state }) => state === "COMPLETED"),
    cancelled: count(({ state }) => state === "CANCELLED"),
    givenUp: count(({ state }) => state === "FAILED"),
    dispatchedAgain: count(({ id }) => (ledger.dispatched.get(id) ?? 0) > 1),
    chunks: chunks.length,
    broken,
  };
}

async function readRows(books: Books): Promise<Row[]> {
  const rows = await books.all<
    Row & { input_payload: string | null; output_payload: string | null }
  >(
    `select seq, id, state, input, input_payload, output, output_payload, error, attempts, retries
     from job order by seq`,
  );
  const pieces = new Map<string, Uint8Array[]>();
  for (const { payload_id, bytes } of await books.all<{ payload_id: string; bytes: Uint8Array }>(
    "select payload_id, bytes from payload_piece order by payload_id, part",
  )) {
    pieces.set(payload_id, [...(pieces.get(payload_id) ?? []), bytes]);
  }
  const whole = (payload: string | null) =>
    payload === null ? null : Buffer.concat(pieces.get(payload) ?? []).toString("utf8");
  return rows.map(({ input_payload, output_payload, ...row }) => ({
    ...row,
    input: row.input ?? whole(input_payload)!,
    output: row.output ?? whole(output_payload),
  }));
}

interface Chunk {
  job_seq: number;
  n: number;
  output: string;
}

async function readChunks(books: Books): Promise<Chunk[]> {
  return books.all<Chunk>(
    `select job_seq, n, chunk.output from chunk join job on seq = job_seq and attempt = attempts
     order by job_seq, n`,
  );
}

function faultsOf(row: Row, chunks: Chunk[], n: number, ledger: Ledger): string[] {
  const faults: string[] = [];
  const must = (holds: boolean, what: string) => holds || faults.push(what);
  const { input } = JSON.parse(planned(n).body) as { input: JobInput };
  const rowInput = JSON.parse(row.input) as JobInput;
  must(rowInput.n === n && rowInput.filler === input.filler, "its input is another one");
  const dispatched = ledger.dispatched.get(row.id) ?? 0;
  must(dispatched <= 2, `it was dispatched ${dispatched} times`);
  must(row.retries <= 1, `it was counted as lost ${row.retries} times`);
  must(dispatched <= row.attempts, "a dispatch was not written down");
  const ownChunks = ledger.retaken.has(row.id) ? null : chunks;
  if (row.state === "COMPLETED") faults.push(...resultFaults(row, ownChunks, input));
  else if (row.state === "FAILED") must(row.error === GIVEN_UP, `it failed: ${row.error}`);
  else must(row.state === "CANCELLED" && planned(n).kind === "cancelled", `it is ${row.state}`);
  const recorded = ledger.recorded.get(row.id) ?? [];
  must(new Set(recorded).size <= 1, "two different results were acknowledged");
  must(
    recorded.every((output) => output === row.output),
    "an acknowledged result is not its own",
  );
  const shown = ledger.shown.get(row.id);
  must(!shown || shown.status === row.state, `it was shown ${shown?.status}, is ${row.state}`);
  must(
    shown?.output === undefined || shown.output === row.output,
    "its output was shown otherwise",
  );
  const cancelled = ledger.cancelled.get(row.id);
  must(
    !cancelled || cancelled === row.state,
    `its cancel call returned ${cancelled}, it is ${row.state}`,
  );
  return faults;
}

const GIVEN_UP = "job timed out after 1 retries";

/**
 * A result must be complete and its own, with the chunks of its dispatch. Null if one worker had
 * two dispatches at once, because no post names its dispatch.
 */
function resultFaults(row: Row, chunks: Chunk[] | null, input: JobInput): string[] {
  const { by } = JSON.parse(row.output!) as { by: string };
  const faults = row.output === outputOf(input, by) ? [] : ["its output is another one"];
  if (chunks === null) return faults;
  if (chunks.some(({ n }, at) => n !== at)) faults.push("its chunks are not numbered in a row");
  // A chunk is sent again if its acknowledgement was lost; the protocol gives it no id.
  const outputs = chunks
    .map(({ output }) => output)
    .filter((each, at, all) => each !== all[at - 1]);
  const want = Array.from({ length: planned(input.n).chunks }, (_, k) => chunkOf(input.n, by, k));
  if (outputs.join() !== want.join()) faults.push(`its chunks are ${outputs.join()}`);
  return faults;
}

/** The counters must equal the counted rows. */
async function tallies(books: Books): Promise<string[]> {
  const names = ["in_queue", "in_progress", "completed", "failed", "retried"];
  const sums = names.map((name) => `coalesce(sum(${name}), 0) as ${name}`).join();
  const counters = JSON.stringify(await books.all(`select ${sums} from tally`));
  const counted = JSON.stringify(
    await books.all(`select count(*) filter (where state = 'IN_QUEUE') as in_queue,
      count(*) filter (where state = 'IN_PROGRESS') as in_progress,
      count(*) filter (where state = 'COMPLETED') as completed,
      count(*) filter (where state in ('FAILED', 'TIMED_OUT')) as failed,
      coalesce(sum(retries), 0) as retried from job`),
  );
  return counters === counted ? [] : [`the counters are ${counters}, counting gives ${counted}`];
}
