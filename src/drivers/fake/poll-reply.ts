// Parsers of the replies to a worker's polls, which may hold anything.

import type { Reply } from "./transport.ts";

export interface OfferedJob {
  id: string;
  input: unknown;
}

/** One job or a list of jobs, on either route; an element that is not a job is omitted and counted. */
export function offeredJobs(reply: Reply | null): { jobs: OfferedJob[]; unreadable: number } {
  if (reply?.status !== 200) return { jobs: [], unreadable: 0 };
  const offered: unknown[] = [parseJson(reply.text)].flat();
  const jobs = offered.filter(isJob);
  return { jobs, unreadable: offered.length - jobs.length };
}

export function jobsToStop(reply: Reply | null): string[] {
  if (reply?.status !== 200) return [];
  const { jobsToStop } = Object(parseJson(reply.text)) as { jobsToStop?: unknown };
  return Array.isArray(jobsToStop) ? jobsToStop.filter((id) => typeof id === "string") : [];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isJob(element: unknown): element is OfferedJob {
  if (typeof element !== "object" || element === null) return false;
  return "id" in element && typeof element.id === "string" && "input" in element;
}
