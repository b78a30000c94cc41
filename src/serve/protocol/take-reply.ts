// Parsers of the replies to takes and stop polls.

import type { Job } from "../handler.ts";
import { rawInputs } from "./raw-input.ts";

export interface TakeReply {
  jobs: Job[];
  /** Elements without an id, shortened for the log. */
  invalidElements: string[];
}

/** Throws if the text is not JSON. */
export function readJobs(text: string): TakeReply {
  const answer: unknown = JSON.parse(text.trim() || "[]");
  const elements: unknown[] = Array.isArray(answer) ? answer : answer === null ? [] : [answer];
  const reply: TakeReply = { jobs: [], invalidElements: [] };
  for (const [index, element] of elements.entries()) {
    if (!hasId(element)) {
      reply.invalidElements.push(JSON.stringify(element).slice(0, 200));
      continue;
    }
    // Computed on demand, and not enumerable, so that a handler does not copy or print it.
    const get = () => rawInputs(text)[index];
    Object.defineProperty(element, "rawInput", { get, enumerable: false });
    reply.jobs.push(element as Job);
  }
  return reply;
}

/** The ids in a reply of the stop channel; none if the reply is malformed. */
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
