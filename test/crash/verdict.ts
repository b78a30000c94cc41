// Compares what was promised with what the data folder holds in the end. Reads the database itself,
// so that no cleverness of the service stands in between.

import { DatabaseSync } from "node:sqlite";
import type { Ledger } from "./ledger.ts";
import { chunkOf, type Given, outputOf, planned } from "./plan.ts";
import { databaseOf } from "./seed.ts";

export interface Verdict {
  jobs: number;
  completed: number;
  cancelled: number;
  /** Given up because two dispatches in a row were lost with the service. */
  givenUp: number;
  /** Dispatched a second time because the first was lost with the service. */
  dispatchedAgain: number;
  chunks: number;
  /** Every promise that was broken, a sentence each. */
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

export function judge(dataFolder: string, ledger: Ledger, jobs: number): Verdict {
  const db = new DatabaseSync(databaseOf(dataFolder), { readOnly: true });
  const rows = readRows(db);
  const broken = [...ledger.wrongs, ...integrity(db), ...tallies(db)];
  const ids = new Map(rows.map((row) => [row.id, row]));
  if (rows.length !== jobs) broken.push(`${rows.length} jobs are there, not ${jobs}`);
  if (ids.size !== rows.length) broken.push("two jobs have one id");
  for (let n = 0; n < jobs; n++) {
    const id = ledger.acknowledged.get(n);
    const row = id === undefined ? undefined : ids.get(id);
    if (!row) broken.push(`job ${n}, acknowledged as ${id}, is not there`);
    else broken.push(...faultsOf(db, row, n, ledger).map((what) => `job ${n}: ${what}`));
  }
  const count = (test: (row: Row) => boolean) => rows.filter(test).length;
  const chunks = db.prepare("select count(*) as n from chunk").get() as { n: number };
  db.close();
  return {
    jobs: rows.length,
    completed: count(({ state }) => state === "COMPLETED"),
    cancelled: count(({ state }) => state === "CANCELLED"),
    givenUp: count(({ state }) => state === "FAILED"),
    dispatchedAgain: count(({ attempts }) => attempts > 1),
    chunks: chunks.n,
    broken,
  };
}

function readRows(db: DatabaseSync): Row[] {
  const text = (column: string) =>
    `coalesce(${column}, (select group_concat(cast(bytes as text), '') from
       (select bytes from payload_piece where payload_id = ${column}_payload order by part)))`;
  const sql = `select seq, id, state, ${text("input")} as input, ${text("output")} as output,
    error, attempts, retries from job order by seq`;
  return db.prepare(sql).all() as unknown as Row[];
}

function faultsOf(db: DatabaseSync, row: Row, n: number, ledger: Ledger): string[] {
  const faults: string[] = [];
  const must = (holds: boolean, what: string) => holds || faults.push(what);
  const { input } = JSON.parse(planned(n).body) as { input: Given };
  const given = JSON.parse(row.input) as Given;
  must(given.n === n && given.filler === input.filler, "its input is another one");
  must(row.attempts <= 2, `it was dispatched ${row.attempts} times`);
  must(row.retries <= 1, `it was counted as lost ${row.retries} times`);
  must((ledger.dispatched.get(row.id) ?? 0) <= row.attempts, "a dispatch was not written down");
  if (row.state === "COMPLETED") faults.push(...resultFaults(db, row, input));
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
  must(!cancelled || cancelled === row.state, `it was told ${cancelled} and is ${row.state}`);
  return faults;
}

const GIVEN_UP = "job timed out after 1 retries";

/** A result is whole, its own, and its chunks are those of the dispatch that gave it. */
function resultFaults(db: DatabaseSync, row: Row, input: Given): string[] {
  const { by } = JSON.parse(row.output!) as { by: string };
  const faults = row.output === outputOf(input, by) ? [] : ["its output is another one"];
  const sql = "select n, output from chunk where job_seq = ? order by n";
  const chunks = db.prepare(sql).all(row.seq) as { n: number; output: string }[];
  if (chunks.some(({ n }, at) => n !== at)) faults.push("its chunks are not numbered in a row");
  // A chunk whose acknowledgement was lost was sent again; the protocol gives it no name.
  const told = chunks.map(({ output }) => output).filter((each, at, all) => each !== all[at - 1]);
  const want = Array.from({ length: planned(input.n).chunks }, (_, k) => chunkOf(input.n, by, k));
  if (told.join() !== want.join()) faults.push(`its chunks are ${told.join()}`);
  return faults;
}

function integrity(db: DatabaseSync): string[] {
  const [found] = db.prepare("pragma integrity_check").all() as { integrity_check: string }[];
  return found?.integrity_check === "ok" ? [] : [`integrity_check: ${found?.integrity_check}`];
}

/** The counters must be what counting gives. */
function tallies(db: DatabaseSync): string[] {
  const one = (sql: string) => JSON.stringify(db.prepare(sql).get());
  const kept = one("select in_queue, in_progress, completed, failed, retried from tally");
  const counted = one(`select coalesce(sum(state = 'IN_QUEUE'), 0) as in_queue,
    coalesce(sum(state = 'IN_PROGRESS'), 0) as in_progress,
    coalesce(sum(state = 'COMPLETED'), 0) as completed,
    coalesce(sum(state in ('FAILED', 'TIMED_OUT')), 0) as failed,
    coalesce(sum(retries), 0) as retried from job`);
  return kept === counted ? [] : [`the tally says ${kept}, counting says ${counted}`];
}
