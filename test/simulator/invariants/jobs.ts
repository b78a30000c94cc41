// What holds for jobs: an accepted one is not lost, ends once and in time, and keeps its result; counters and
// concurrency keys agree with the jobs.

import { isTerminal, type JobState } from "../../../src/domain/job/moves.ts";
import { KEYS } from "../actions/jobs.ts";
import { type KnownJob, type Simulation, Violation } from "../model.ts";
import { type Invariant, Lasting, query, violate } from "./invariant.ts";

interface Row {
  id: string;
  endpoint_id: string;
  state: JobState;
  ttl_at: number;
  finished_at: number | null;
  forget_at: number | null;
  output: string | null;
  error: string | null;
  concurrency_key: string | null;
  held_by: string | null;
}

/** A job whose ttl is over ends within this. */
const LATE_MS = 10_000;

export function jobInvariants(): Invariant[] {
  const states = new Map<string, string>();
  const late = new Lasting(LATE_MS);
  const stuck = new Lasting(LATE_MS);
  return [
    async (simulation) => {
      const found = await query<Row>(
        simulation,
        `select id, endpoint_id, state, ttl_at, finished_at, forget_at, output, error, concurrency_key, held_by
         from job`,
      );
      const { now } = simulation.world;
      checkKnown(simulation, found);
      recordMoves(simulation, states, found);
      const overdue = found.filter((job) => !isTerminal(job.state) && job.ttl_at <= now);
      const [first] = late.tooLong(
        overdue.map(({ id }) => id),
        simulation.world,
      );
      if (first) violate("a job ends by the end of its ttl", first);
      checkKeys(found, stuck, simulation.world);
      await checkTally(simulation, found);
    },
  ];
}

function checkKnown({ model, world }: Simulation, found: Row[]): void {
  const byId = new Map(found.map((row) => [row.id, row]));
  for (const job of model.jobs.values()) {
    const row = byId.get(job.id);
    if (!row) {
      if (job.end === null) violate("an accepted job is not lost", `${job.id} is not stored`);
      if (world.now < job.end.forgetAt)
        violate("a result is kept for its retention", `${job.id} until ${job.end.forgetAt}`);
      model.jobs.delete(job.id);
    } else if (isTerminal(row.state))
      checkEnd(job, row, Math.max(world.upSince, world.orderlySince));
    else if (job.end) violate("a job ends once", `${job.id} was ${job.end.state}, is ${row.state}`);
  }
}

function checkEnd(job: KnownJob, row: Row, upSince: number): void {
  const { state, finished_at: at, forget_at: forgetAt } = row;
  if (at === null || forgetAt === null) throw new Violation("an ended job has an end", row.id);
  if (!job.end && at > Math.max(row.ttl_at, upSince) + LATE_MS)
    violate("a job ends by the end of its ttl", row);
  const result = `${row.output}/${row.error}`;
  if (job.end && (job.end.state !== state || job.end.at !== at || job.end.result !== result))
    violate("a job ends once", { before: job.end, now: row });
  if (state === "COMPLETED" && job.endpoint.echoes && row.output !== job.input)
    violate("a completed job has its own output", { input: job.input, output: row.output });
  job.end = { state, at, forgetAt, result };
}

function recordMoves({ coverage, trace }: Simulation, states: Map<string, string>, found: Row[]) {
  const deleted = new Set(states.keys());
  for (const { id, state } of found) {
    deleted.delete(id);
    const before = states.get(id) ?? "(new)";
    if (before === state) continue;
    coverage.count("job move", `${before} -> ${state}`);
    trace(`${id} ${state}`);
    states.set(id, state);
  }
  for (const id of deleted) states.delete(id);
}

/** A key never has more jobs in the queue or running than its limit, and holds none while it has room. */
function checkKeys(found: Row[], stuck: Lasting, world: Simulation["world"]): void {
  const active = new Map<string, number>();
  const held = new Set<string>();
  for (const { endpoint_id, concurrency_key: key, state, held_by } of found) {
    if (key === null) continue;
    const name = `${endpoint_id} ${key}`;
    if (held_by === "concurrency" && state === "DELAYED") held.add(name);
    if (state === "IN_QUEUE" || state === "IN_PROGRESS")
      active.set(name, (active.get(name) ?? 0) + 1);
  }
  const limitOf = (name: string) => KEYS[name.split(" ")[1]!]!;
  for (const [name, jobs] of active)
    if (jobs > limitOf(name)) violate("a concurrency limit holds", `${name}: ${jobs} jobs`);
  const waiting = [...held].filter((name) => (active.get(name) ?? 0) < limitOf(name));
  const [first] = stuck.tooLong(waiting, world);
  if (first) violate("a held job is admitted when its key has room", first);
}

async function checkTally(simulation: Simulation, found: Row[]): Promise<void> {
  const tallies = await query<{ endpoint_id: string; q: number; p: number; d: number }>(
    simulation,
    `select endpoint_id, sum(in_queue) as q, sum(in_progress) as p, sum(delayed) as d from tally
     group by endpoint_id`,
  );
  for (const { endpoint_id, q, p, d } of tallies) {
    const of = (state: JobState) =>
      found.filter((job) => job.endpoint_id === endpoint_id && job.state === state).length;
    const counted = [of("IN_QUEUE"), of("IN_PROGRESS"), of("DELAYED")];
    if (counted.join() !== [q, p, d].map(Number).join())
      violate("counters agree with the jobs", { endpoint_id, counted, stored: [q, p, d] });
  }
}
