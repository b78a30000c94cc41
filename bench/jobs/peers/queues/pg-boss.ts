// pg-boss as a queue, with its calls for fetching jobs manually. Of several ways it uses the fastest one measured:
// concurrent polls share a fetch. All jobs of the benchmark pass through this process, so it notifies its polls and
// waiting clients itself, faster than PostgreSQL could.
import { type Job, type JobInsert, type JobWithMetadata, PgBoss } from "pg-boss";
import { Ends } from "./ends.ts";
import { HeldTakes } from "./held-takes.ts";
import type { Hold, JobResult, JobView, Queue, SubmittedJob, TakenJob } from "./queue.ts";
import { SharedTrips } from "./shared-trips.ts";

const JOBS = "jobs";
const RETENTION_S = 1_800;
/** The shortest poll interval of pg-boss, for jobs of other processes. */
const POLL_MS = 500;

interface Data extends SubmittedJob {
  /** The id on the wire; pg-boss itself uses bare UUIDs. */
  wireId: string;
}

export const connect = (url: string) => PgBossQueue.connect(url);

class PgBossQueue implements Queue {
  #boss: PgBoss;
  #held = new HeldTakes<Job<Data>>((block) => this.#next(block));
  #fetches = new SharedTrips<null, Job<Data> | undefined>((asks) => this.#fetch(asks.length));
  #inserts = new SharedTrips<JobInsert<Data>, undefined>((jobs) => this.#insert(jobs));
  /** True if a job arrived since the last fetch began. */
  #arrived = false;
  /** Ends the wait of a blocking fetch. */
  #wake = () => {};
  #ends = new Ends();

  private constructor(boss: PgBoss) {
    this.#boss = boss;
  }

  static async connect(url: string): Promise<PgBossQueue> {
    const boss = new PgBoss({ connectionString: url, schedule: false });
    boss.on("error", (error) => process.stderr.write(`pg-boss: ${error.message}\n`));
    await boss.start();
    await boss.createQueue(JOBS, { deleteAfterSeconds: RETENTION_S });
    return new PgBossQueue(boss);
  }

  async submit(id: string, job: SubmittedJob): Promise<void> {
    await this.#inserts.send({ id: uuidOf(id), data: { ...job, wireId: id } });
  }

  async take(_workerId: string, hold: Hold): Promise<TakenJob | undefined> {
    const job = await this.#held.take(hold);
    return job && { id: job.data.wireId, input: job.data.input };
  }

  async finish(id: string, { output, error }: JobResult): Promise<boolean> {
    const uuid = uuidOf(id);
    const answer = await (error === undefined
      ? this.#boss.complete(JOBS, uuid, output as object)
      : this.#boss.fail(JOBS, uuid, { error }));
    if ((answer as { affected: number }).affected === 0) return false;
    this.#ends.announce(
      error === undefined ? { id, status: "COMPLETED", output } : { id, status: "FAILED", error },
    );
    return true;
  }

  async view(id: string): Promise<JobView | undefined> {
    const job = await this.#boss.getJobById<Data>(JOBS, uuidOf(id));
    return job ? viewOf(job) : undefined;
  }

  async submitAndWait(id: string, job: SubmittedJob, holdMs: number): Promise<JobView | undefined> {
    const end = this.#ends.wait(id, holdMs);
    await this.submit(id, job);
    return (await end) ?? this.view(id);
  }

  async #next(block: boolean): Promise<Job<Data> | undefined> {
    if (block && !this.#arrived) await this.#arrival();
    return this.#fetches.send(null);
  }

  #arrival(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#wake(), POLL_MS);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #fetch(batchSize: number): Promise<(Job<Data> | undefined)[]> {
    this.#arrived = false;
    return this.#boss.fetch<Data>(JOBS, { batchSize });
  }

  async #insert(jobs: JobInsert<Data>[]): Promise<undefined[]> {
    await this.#boss.insert(JOBS, jobs);
    this.#arrived = true;
    this.#wake();
    return [];
  }
}

function uuidOf(id: string): string {
  return id.replace(/^sync-/, "").slice(0, 36);
}

function viewOf({ data, state, output, ...at }: JobWithMetadata<Data>): JobView {
  const view: JobView = { id: data.wireId, status: "IN_QUEUE" };
  if (state === "created" || state === "retry") return view;
  view.delayTime = Number(at.startedOn) - Number(at.createdOn);
  view.status = "IN_PROGRESS";
  if (state === "active" || at.completedOn === null) return view;
  view.executionTime = Number(at.completedOn) - Number(at.startedOn);
  view.status = state === "completed" ? "COMPLETED" : "FAILED";
  if (state === "completed") view.output = output;
  else view.error = String((output as { error?: unknown }).error);
  return view;
}
