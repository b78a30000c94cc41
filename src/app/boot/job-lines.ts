// Prints a line for each job that ends. It follows the notifications of commits and reads the jobs
// afterwards, so that no request waits for it. A line may be lost, as a notification may.

import type { Clock } from "../../base/clock.ts";
import type { Store } from "../../store/engine/store.ts";
import { type EndedJobSummary, endedJobs } from "../../store/job/list/ended.ts";

const PERIOD_MS = 1_000;
const MAX_LINES = 20;
/** Beyond this number of changed jobs in a period, the others are neither read nor counted. */
const MAX_READ = 1_000;

interface JobLinesDeps {
  store: Store;
  /** Not the service's, which may stand still. */
  clock: Clock;
  lineOf: (job: EndedJobSummary) => string;
  write: (text: string) => void;
}

export class JobLinePrinter {
  readonly #deps: JobLinesDeps;
  readonly #stopListening: () => void;
  /** The jobs of which a notification has come since the last lines. */
  #changed = new Set<string>();
  #hasMore = false;
  #cancel: (() => void) | null = null;

  constructor(deps: JobLinesDeps) {
    this.#deps = deps;
    this.#stopListening = deps.store.notifier.onJobs((id) => this.#add(id));
  }

  stop(): void {
    this.#stopListening();
    this.#cancel?.();
  }

  #add(id: string): void {
    if (this.#changed.size < MAX_READ) this.#changed.add(id);
    else if (!this.#changed.has(id)) this.#hasMore = true;
    this.#cancel ??= this.#deps.clock.after(0, () => void this.#print());
  }

  /** Prints, and again after the period if more jobs have changed by then. */
  async #print(): Promise<void> {
    const { store, clock, write, lineOf } = this.#deps;
    const [ids, hasMore] = [[...this.#changed], this.#hasMore];
    this.#changed = new Set();
    this.#hasMore = false;
    this.#cancel = clock.after(PERIOD_MS, () => {
      this.#cancel = null;
      if (this.#changed.size > 0) void this.#print();
    });
    try {
      const jobs = await store.read(endedJobs, ids);
      if (jobs.length > 0) write(linesOf(jobs, hasMore, lineOf));
    } catch {
      // The store is unavailable, which the log says.
    }
  }
}

function linesOf(
  jobs: EndedJobSummary[],
  hasMore: boolean,
  lineOf: (job: EndedJobSummary) => string,
): string {
  const inOrder = jobs.toSorted((a, b) => a.finishedAt - b.finishedAt);
  const lines = inOrder.slice(0, MAX_LINES).map(lineOf);
  const more = jobs.length - lines.length;
  if (more > 0) lines.push(`and ${hasMore ? "at least " : ""}${more} more`);
  else if (hasMore) lines.push("and possibly more");
  return lines.map((line) => `${line}\n`).join("");
}
