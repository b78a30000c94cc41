// What holds for leases: a job has one holder at a time, which is a worker that lives, and each claim is delivered once.

import type { Simulation } from "../model.ts";
import { type Invariant, Lasting, query, violate } from "./invariant.ts";

interface HeldJob {
  id: string;
  attempts: number;
  taken_at: number | null;
  worker_id: string | null;
  worker: string | null;
}

interface AttemptRow {
  id: string;
  n: number;
  taken_at: number;
  ended_at: number;
}

/** A worker's end is noticed by a loop, and its jobs return to the queue with that. */
const NOTICED_MS = 90_000;

export function leaseInvariants(): Invariant[] {
  const ownerless = new Lasting(NOTICED_MS);
  return [
    async (simulation) => {
      const held = await query<HeldJob>(
        simulation,
        `select job.id, attempts, taken_at, worker_id, worker.id as worker from job
         left join worker on worker.id = worker_id and observed <> 'ended' where state = 'IN_PROGRESS'`,
      );
      const orphans = held.filter(({ worker }) => worker === null).map(({ id }) => id);
      const [first] = ownerless.tooLong(orphans, simulation.world);
      if (first) violate("a job that runs has a worker that lives", first);
      await checkAttempts(simulation, held);
      await checkDeliveries(simulation);
    },
  ];
}

/** One attempt of a job ends before the next begins. */
async function checkAttempts(simulation: Simulation, held: HeldJob[]): Promise<void> {
  const attempts = await query<AttemptRow>(
    simulation,
    `select job.id, n, attempt.taken_at, ended_at from attempt join job on job.seq = job_seq
     order by job.id, n`,
  );
  const ends = new Map<string, number>();
  const overlaps = (id: string, takenAt: number) =>
    takenAt < (ends.get(id) ?? 0) && !simulation.world.mayPrecede(takenAt, ends.get(id)!);
  for (const { id, n, taken_at, ended_at } of attempts) {
    if (overlaps(id, taken_at)) violate("a job has one holder at a time", { id, n });
    ends.set(id, ended_at);
  }
  for (const { id, taken_at } of held)
    if (taken_at !== null && overlaps(id, taken_at))
      violate("a job has one holder at a time", { id, taken_at });
}

async function checkDeliveries(simulation: Simulation): Promise<void> {
  const jobs = await query<{ id: string; attempts: number }>(
    simulation,
    "select id, attempts from job",
  );
  const { deliveries } = simulation.world.router;
  for (const { id, attempts } of jobs) {
    const delivered = deliveries.get(id) ?? 0;
    if (delivered > attempts) violate("a claim is delivered once", { id, attempts, delivered });
  }
}
