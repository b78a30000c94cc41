// Watches the endpoint's jobs and prints a one-line summary of each when it ends.

import type { JobSummary } from "../../contract/rest-v1/job/job.ts";
import { isTerminal } from "../../domain/job/moves.ts";
import type { RunningService } from "../client/running-service.ts";
import { ask } from "../client/service-request.ts";
import type { PrintLines } from "./print-lines.ts";

const PAGE = 100;

/** How far back one pass goes for jobs that have not ended yet. */
const MOST_PAGES = 10;

export interface JobWatchOptions {
  service: RunningService;
  endpointId: string;
  /** Jobs that ended before this instant are not printed. */
  since: number;
  /** Called before a summary is printed, so that the worker's own output comes first. */
  onEnd: () => void;
  print: PrintLines;
}

export class JobWatch {
  readonly #options: JobWatchOptions;
  readonly #printed = new Set<string>();
  #open = new Set<string>();

  constructor(options: JobWatchOptions) {
    this.#options = options;
  }

  /** Reads the jobs once, and prints those that have ended since the last call. */
  async poll(): Promise<void> {
    const { since } = this.#options;
    const jobs = await this.#list();
    this.#open = new Set(jobs.filter(({ status }) => !isTerminal(status)).map(({ id }) => id));
    for (const { id, finishedAt } of jobs.toReversed()) {
      if (finishedAt === undefined || this.#printed.has(id)) continue;
      this.#printed.add(id);
      if (Date.parse(finishedAt) >= since) await this.#printSummary(id);
    }
  }

  /** Reads the newest jobs, and older ones while some had not ended at the last pass. */
  async #list(): Promise<JobSummary[]> {
    const { service, endpointId } = this.#options;
    const missing = new Set(this.#open);
    const jobs: JobSummary[] = [];
    let before = "";
    for (let n = 0; n < MOST_PAGES; n++) {
      const path = `/v1/jobs?endpointId=${endpointId}&limit=${PAGE}${before}`;
      const page = (await ask(service, "GET", path)) as JobSummary[];
      jobs.push(...page);
      for (const { id } of page) missing.delete(id);
      if (page.length < PAGE || (missing.size === 0 && this.#printed.has(page.at(-1)!.id))) break;
      before = `&before=${page.at(-1)!.id}`;
    }
    return jobs;
  }

  async #printSummary(id: string): Promise<void> {
    const { service, print, onEnd } = this.#options;
    // Reads the list entry, not the job: the job comes with its input and output.
    const why = (await ask(service, "GET", `/v1/why/${id}`)) as { story?: string };
    onEnd();
    if (why.story) print("dev", why.story);
  }
}
