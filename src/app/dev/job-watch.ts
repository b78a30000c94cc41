// Watches the endpoint's jobs and says of each, when it has ended, its story in one line.

import type { JobSummary } from "../../contract/rest-v1/job.ts";
import { isTerminal } from "../../domain/job/moves.ts";
import { ask } from "../cli/ask.ts";
import type { Service } from "../cli/service.ts";
import type { Say } from "./say.ts";

const PAGE = 100;

/** So far back one look goes for jobs that have not ended yet. */
const MOST_PAGES = 10;

export interface JobWatchOptions {
  service: Service;
  endpointId: string;
  /** What had ended before this instant is no news. */
  since: number;
  /** Called before a story is told: what the worker printed on the way belongs before it. */
  onEnd: () => void;
  say: Say;
}

export class JobWatch {
  readonly #options: JobWatchOptions;
  readonly #told = new Set<string>();
  #open = new Set<string>();

  constructor(options: JobWatchOptions) {
    this.#options = options;
  }

  /** Looks once. */
  async look(): Promise<void> {
    const { since } = this.#options;
    const jobs = await this.#list();
    this.#open = new Set(jobs.filter(({ status }) => !isTerminal(status)).map(({ id }) => id));
    for (const { id, finishedAt } of jobs.toReversed()) {
      if (finishedAt === undefined || this.#told.has(id)) continue;
      this.#told.add(id);
      if (Date.parse(finishedAt) >= since) await this.#tell(id);
    }
  }

  /** The newest, and further back as long as there are some that had not ended last time. */
  async #list(): Promise<JobSummary[]> {
    const { service, endpointId } = this.#options;
    const sought = new Set(this.#open);
    const jobs: JobSummary[] = [];
    let before = "";
    for (let n = 0; n < MOST_PAGES; n++) {
      const path = `/v1/jobs?endpointId=${endpointId}&limit=${PAGE}${before}`;
      const page = (await ask(service, "GET", path)) as JobSummary[];
      jobs.push(...page);
      for (const { id } of page) sought.delete(id);
      if (page.length < PAGE || (sought.size === 0 && this.#told.has(page.at(-1)!.id))) break;
      before = `&before=${page.at(-1)!.id}`;
    }
    return jobs;
  }

  async #tell(id: string): Promise<void> {
    const { service, say, onEnd } = this.#options;
    // Not the job itself, because that brings its input and output along.
    const why = (await ask(service, "GET", `/v1/why/${id}`)) as { story?: string };
    onEnd();
    if (why.story) say("dev", why.story);
  }
}
