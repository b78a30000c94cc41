// Stands in for the service's worker routes in the tests of the fake driver: it holds polls, hands
// out jobs and remembers every call, on the test's own clock.
import { type Clock, pause } from "../../base/clock.ts";
import type { Answer, Call } from "./exchange.ts";

export interface Seen {
  at: number;
  method: string;
  route: string;
  worker: string;
  job: string | undefined;
  query: Record<string, string>;
  authorization: string | undefined;
  body: string | undefined;
}

const HOLD_MS = 20_000;
const BASE = "http://queue.test/v2/ep";

/** What every worker is given to find the queue. */
export function workerEnv(id: string): Record<string, string> {
  return {
    RUNPOD_POD_ID: id,
    RUNPOD_AI_API_KEY: `key-of-${id}`,
    RUNPOD_PING_INTERVAL: "4000",
    RUNPOD_WEBHOOK_GET_JOB: `${BASE}/job-take/${id}?gpu=none`,
    RUNPOD_WEBHOOK_POST_OUTPUT: `${BASE}/job-done/$RUNPOD_POD_ID/$ID?gpu=none`,
    RUNPOD_WEBHOOK_POST_STREAM: `${BASE}/job-stream/${id}/$ID?gpu=none`,
    RUNPOD_WEBHOOK_PING: `${BASE}/ping/$RUNPOD_POD_ID?gpu=none`,
  };
}

export class QueueDouble {
  readonly seen: Seen[] = [];
  readonly jobs: unknown[] = [];
  readonly toStop: string[] = [];
  /** Polls that are open now. */
  open = 0;
  /** Answers in place of the queue; undefined leaves it to the queue, null to nobody. */
  instead: (call: Seen) => { status: number; text?: string } | null | undefined = () => undefined;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  transport = async (url: string, call: Call): Promise<Answer> => {
    const { pathname, searchParams } = new URL(url);
    const [, , , route = "", worker = "", job] = pathname.split("/").map(decodeURIComponent);
    const { gpu: _, ...query } = Object.fromEntries(searchParams);
    const { method, headers, body } = call;
    const { authorization } = headers;
    const at = this.#clock.now();
    const seen: Seen = { at, method, route, worker, job, query, authorization, body };
    this.seen.push(seen);
    const instead = this.instead(seen);
    if (instead === null) throw new Error("connection refused");
    if (instead) return answer(instead.status, instead.text);
    if (route.startsWith("job-take")) return this.#held(call, () => this.#take(query));
    if (route === "job-stop") return this.#held(call, () => this.#stop());
    return answer(200, "{}");
  };

  /** The calls of one route, and of one job if it is named. */
  calls(route: string, job?: string): Seen[] {
    return this.seen.filter((call) => call.route === route && (!job || call.job === job));
  }

  /** What was posted as results, by job. */
  results(): Record<string, unknown[]> {
    const results: Record<string, unknown[]> = {};
    for (const { job = "", body = "" } of this.calls("job-done")) {
      results[job] = [...(results[job] ?? []), JSON.parse(body)];
    }
    return results;
  }

  #take({ batch_size }: Record<string, string>): Answer | null {
    if (this.jobs.length === 0) return null;
    if (batch_size === undefined) return answer(200, JSON.stringify(this.jobs.shift()));
    return answer(200, JSON.stringify(this.jobs.splice(0, Number(batch_size))));
  }

  #stop(): Answer | null {
    if (this.toStop.length === 0) return null;
    return answer(200, JSON.stringify({ jobsToStop: this.toStop.splice(0) }));
  }

  async #held(call: Call, look: () => Answer | null): Promise<Answer> {
    const until = this.#clock.now() + HOLD_MS;
    this.open++;
    for (;;) {
      const found = call.signal.aborted ? null : look();
      if (found || this.#clock.now() >= until || call.signal.aborted) {
        this.open--;
        return found ?? answer(204, "");
      }
      await pause(this.#clock, 10, call.signal);
    }
  }
}

function answer(status: number, text = ""): Answer {
  return { status, text: async () => text };
}
