// graphile-worker as a queue. Its tasks run in this process: a task waits for a poll, and ends when the poll's worker posts.
// It deletes a job that has ended, so results go to a table of the benchmark. Of several ways it uses the fastest one
// measured: submissions and results that arrive together share a statement, and a local queue fetches many jobs at once.
import {
  type Job,
  Logger,
  makeWorkerUtils,
  run,
  type TaskList,
  type WorkerUtils,
} from "graphile-worker";
import pg from "pg";
import { Arrivals } from "./arrivals.ts";
import { Ends } from "./ends.ts";
import type { Hold, JobResult, JobView, Queue, SubmittedJob, TakenJob } from "./queue.ts";
import { SharedTrips } from "./shared-trips.ts";

/** Jobs that wait for a poll, or for the end of their worker. */
const MAX_TASKS = 256;
const MAX_CONNECTIONS = 10;

interface Payload extends SubmittedJob {
  id: string;
}

interface Task {
  payload: Payload;
  job: Job;
  takenAt: number;
  end(): void;
}

export async function connect(url: string): Promise<Queue> {
  const pool = new pg.Pool({ connectionString: url, max: MAX_CONNECTIONS });
  pool.on("error", (error) => process.stderr.write(`graphile-worker: ${error.message}\n`));
  const logger = new Logger(() => () => {});
  await pool.query("create table result (id text primary key, view json not null)");
  const arrivals = new Arrivals<Task>();
  const taskList: TaskList = {
    job: (payload, { job }) =>
      new Promise<void>((end) => {
        arrivals.push({ payload: payload as Payload, job, takenAt: 0, end });
      }),
  };
  await run({
    taskList,
    logger,
    noHandleSignals: true,
    preset: {
      worker: {
        connectionString: url,
        concurrentJobs: MAX_TASKS,
        maxPoolSize: MAX_CONNECTIONS,
        localQueue: { size: MAX_TASKS },
        completeJobBatchDelay: 0,
      },
    },
  });
  const { addJobs } = await makeWorkerUtils({ pgPool: pool, logger });
  return new GraphileQueue(pool, addJobs, arrivals);
}

class GraphileQueue implements Queue {
  #pool: pg.Pool;
  #arrivals: Arrivals<Task>;
  #tasks = new Map<string, Task>();
  #ends = new Ends();
  #inserts: SharedTrips<Payload, Job>;
  #results = new SharedTrips<JobView, unknown>((views) => this.#store(views));
  #reads = new SharedTrips<string, JobView | undefined>((ids) => this.#read(ids));

  constructor(pool: pg.Pool, addJobs: WorkerUtils["addJobs"], arrivals: Arrivals<Task>) {
    this.#pool = pool;
    this.#arrivals = arrivals;
    this.#inserts = new SharedTrips(async (payloads) => [
      ...(await addJobs(payloads.map((payload) => ({ identifier: "job", payload })))),
    ]);
  }

  async submit(id: string, job: SubmittedJob): Promise<void> {
    await this.#inserts.send({ ...job, id });
  }

  async take(_workerId: string, hold: Hold): Promise<TakenJob | undefined> {
    const task = await this.#arrivals.take(hold);
    if (!task) return undefined;
    task.takenAt = Date.now();
    const { id, input } = task.payload;
    this.#tasks.set(id, task);
    return { id, input };
  }

  async finish(id: string, { output, error }: JobResult): Promise<boolean> {
    const task = this.#tasks.get(id);
    if (!task) return false;
    const view: JobView = {
      id,
      delayTime: task.takenAt - task.job.created_at.getTime(),
      executionTime: Date.now() - task.takenAt,
      ...(error === undefined ? { status: "COMPLETED", output } : { status: "FAILED", error }),
    };
    await this.#results.send(view);
    this.#tasks.delete(id);
    task.end();
    this.#ends.announce(view);
    return true;
  }

  async view(id: string): Promise<JobView | undefined> {
    const result = await this.#reads.send(id);
    return result ?? { id, status: this.#tasks.has(id) ? "IN_PROGRESS" : "IN_QUEUE" };
  }

  async submitAndWait(id: string, job: SubmittedJob, holdMs: number): Promise<JobView | undefined> {
    const end = this.#ends.wait(id, holdMs);
    await this.submit(id, job);
    return (await end) ?? this.view(id);
  }

  async #store(views: JobView[]): Promise<unknown[]> {
    await this.#pool.query({
      name: "store",
      text: "insert into result (id, view) select id, view from unnest($1::text[], $2::json[]) as t (id, view)",
      values: [views.map(({ id }) => id), views.map((view) => JSON.stringify(view))],
    });
    return [];
  }

  async #read(ids: string[]): Promise<(JobView | undefined)[]> {
    const { rows } = await this.#pool.query<{ id: string; view: JobView }>({
      name: "read",
      text: "select id, view from result where id = any($1)",
      values: [ids],
    });
    const views = new Map(rows.map(({ id, view }) => [id, view]));
    return ids.map((id) => views.get(id));
  }
}
