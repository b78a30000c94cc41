// Parsers of the replies to a worker's polls, which may hold anything.

import { elementsOf } from "../../../base/json/elements.ts";
import { KeyTable } from "../../../base/json/keys.ts";
import { JsonScanner } from "../../../base/json/scanner.ts";
import { limits } from "../../../domain/protocol.ts";
import type { Reply } from "./transport.ts";

/** An input as deep as the service takes it, within its job. */
const MAX_DEPTH = limits.depth + 1;

export interface OfferedJob {
  id: string;
  /** The input as it was sent, so that an echo returns the same bytes. */
  input: string;
}

/** One job or a list of jobs, on either route; an element that is not a job is omitted and counted. */
export function offeredJobs(reply: Reply | null): { jobs: OfferedJob[]; unreadable: number } {
  if (reply?.status !== 200) return { jobs: [], unreadable: 0 };
  const texts = elementTexts(Buffer.from(reply.text));
  const jobs = texts.flatMap(jobIn);
  return { jobs, unreadable: texts.length - jobs.length };
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

/** The elements of a list, or whatever else the text is. */
function elementTexts(text: Buffer): Buffer[] {
  const isList = Array.isArray(parseJson(text.toString()));
  return isList ? [...elementsOf(text)].map(({ start, end }) => text.subarray(start, end)) : [text];
}

const KEYS = new KeyTable(["id", "input"]);

/** Its list holds the job, or nothing if it is none. */
function jobIn(text: Buffer): OfferedJob[] {
  const members = membersOf(text);
  const [id, input] = [members?.("id"), members?.("input")];
  if (id === undefined || input === undefined) return [];
  const parsedId = parseJson(id);
  return typeof parsedId === "string" ? [{ id: parsedId, input }] : [];
}

/** Reads a member's text; null if the text is not valid JSON. */
function membersOf(text: Buffer): ((name: string) => string | undefined) | null {
  const scanner = new JsonScanner({ keys: KEYS, lenient: false, maxDepth: MAX_DEPTH });
  try {
    scanner.feed(text);
    const { members, body } = scanner.end();
    return (name) => {
      const member = members.get(name);
      return member && body.cut(member).toString();
    };
  } catch {
    return null;
  }
}
