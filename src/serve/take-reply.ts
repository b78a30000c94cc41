// Reading what a take was answered: one job, a list of jobs, or nothing of use.

import type { Job } from "./handler.ts";
import { rawInputs } from "./raw-input.ts";

export interface TakeReply {
  jobs: Job[];
  /** What came without an id, shortened for a log. */
  strangers: string[];
}

/** Throws where the text is no JSON. */
export function readJobs(text: string): TakeReply {
  const answer: unknown = JSON.parse(text.trim() || "[]");
  const elements: unknown[] = Array.isArray(answer) ? answer : answer === null ? [] : [answer];
  const reply: TakeReply = { jobs: [], strangers: [] };
  for (const [index, element] of elements.entries()) {
    if (!hasId(element)) {
      reply.strangers.push(JSON.stringify(element).slice(0, 200));
      continue;
    }
    // Read only when asked for, and kept out of what a handler would copy or print.
    const get = () => rawInputs(text)[index];
    Object.defineProperty(element, "rawInput", { get, enumerable: false });
    reply.jobs.push(element as Job);
  }
  return reply;
}

/** The ids in a stop channel's answer; what it does not understand is no id. */
export function readJobsToStop(text: string): string[] {
  try {
    const { jobsToStop } = JSON.parse(text) as { jobsToStop?: unknown };
    return Array.isArray(jobsToStop) ? jobsToStop.filter((id) => typeof id === "string") : [];
  } catch {
    return [];
  }
}

function hasId(job: unknown): job is { id: string } {
  return typeof job === "object" && job !== null && "id" in job && typeof job.id === "string";
}
