// NATS JetStream as a queue: a work-queue stream of jobs, which a pull consumer delivers ahead of the polls, and a stream of
// results. The server syncs each message before it acknowledges it.
import {
  AckPolicy,
  type JetStreamClient,
  type JetStreamManager,
  type JsMsg,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
} from "@nats-io/jetstream";
import { connect as connectTcp, nanos } from "@nats-io/transport-node";
import { Arrivals } from "./arrivals.ts";
import { Ends } from "./ends.ts";
import type { Hold, JobResult, JobView, Queue, SubmittedJob, TakenJob } from "./queue.ts";

const RETENTION_MS = 1_800_000;
const LEASE_MS = 60_000;
const MAX_DELIVERED = 512;

interface Taken {
  message: JsMsg;
  at: number;
}

export async function connect(servers: string): Promise<Queue> {
  const connection = await connectTcp({ servers });
  const manager = await jetstreamManager(connection);
  await manager.streams.add({
    name: "jobs",
    subjects: ["jobs.>"],
    retention: RetentionPolicy.Workqueue,
    allow_direct: true,
  });
  await manager.streams.add({
    name: "results",
    subjects: ["results.>"],
    max_age: nanos(RETENTION_MS),
    allow_direct: true,
  });
  await manager.consumers.add("jobs", {
    durable_name: "workers",
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(LEASE_MS),
    max_ack_pending: -1,
  });
  const queue = new JetStreamQueue(jetstream(connection), manager);
  await queue.consume();
  return queue;
}

class JetStreamQueue implements Queue {
  #client: JetStreamClient;
  #manager: JetStreamManager;
  #arrivals = new Arrivals<JsMsg>();
  #taken = new Map<string, Taken>();
  #ends = new Ends();

  constructor(client: JetStreamClient, manager: JetStreamManager) {
    this.#client = client;
    this.#manager = manager;
  }

  async consume(): Promise<void> {
    const consumer = await this.#client.consumers.get("jobs", "workers");
    await consumer.consume({
      max_messages: MAX_DELIVERED,
      callback: (message) => this.#arrivals.push(message),
    });
  }

  async submit(id: string, job: SubmittedJob): Promise<void> {
    await this.#client.publish(`jobs.${id}`, JSON.stringify(job));
  }

  async take(_workerId: string, hold: Hold): Promise<TakenJob | undefined> {
    const message = await this.#arrivals.take(hold);
    if (!message) return undefined;
    const id = message.subject.slice("jobs.".length);
    this.#taken.set(id, { message, at: Date.now() });
    return { id, input: message.json<SubmittedJob>().input };
  }

  async finish(id: string, { output, error }: JobResult): Promise<boolean> {
    const taken = this.#taken.get(id);
    if (!taken) return false;
    const view: JobView = {
      id,
      delayTime: taken.at - taken.message.time.getTime(),
      executionTime: Date.now() - taken.at,
      ...(error === undefined ? { status: "COMPLETED", output } : { status: "FAILED", error }),
    };
    await this.#client.publish(`results.${id}`, JSON.stringify(view));
    taken.message.ack();
    this.#taken.delete(id);
    this.#ends.announce(view);
    return true;
  }

  async view(id: string): Promise<JobView | undefined> {
    // A job that ends between the two look-ups is in neither: its message is gone, and its result came later.
    return (await this.#result(id)) ?? (await this.#live(id)) ?? (await this.#result(id));
  }

  async submitAndWait(id: string, job: SubmittedJob, holdMs: number): Promise<JobView | undefined> {
    const end = this.#ends.wait(id, holdMs);
    await this.submit(id, job);
    return (await end) ?? this.view(id);
  }

  async #result(id: string): Promise<JobView | undefined> {
    return (await this.#last("results", id))?.json<JobView>();
  }

  async #live(id: string): Promise<JobView | undefined> {
    if (this.#taken.has(id)) return { id, status: "IN_PROGRESS" };
    return (await this.#last("jobs", id)) ? { id, status: "IN_QUEUE" } : undefined;
  }

  #last(stream: string, id: string) {
    return this.#manager.direct.getMessage(stream, { last_by_subj: `${stream}.${id}` });
  }
}
