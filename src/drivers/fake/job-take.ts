// What a worker reads in the answers to its polls; anything can stand there.
import type { Reply } from "./exchange.ts";

export interface OfferedJob {
  id: string;
  input: unknown;
}

/** One job or a list of them, on either route; what is no job is left out and counted. */
export function offeredJobs(reply: Reply | null): { jobs: OfferedJob[]; unreadable: number } {
  if (reply?.status !== 200) return { jobs: [], unreadable: 0 };
  const offered: unknown[] = [parsed(reply.text)].flat();
  const jobs = offered.filter(isJob);
  return { jobs, unreadable: offered.length - jobs.length };
}

export function jobsToStop(reply: Reply | null): string[] {
  if (reply?.status !== 200) return [];
  const { jobsToStop } = Object(parsed(reply.text)) as { jobsToStop?: unknown };
  return Array.isArray(jobsToStop) ? jobsToStop.filter((id) => typeof id === "string") : [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isJob(one: unknown): one is OfferedJob {
  if (typeof one !== "object" || one === null) return false;
  return "id" in one && typeof one.id === "string" && "input" in one;
}
