// The recorded call that is most like one that was not recorded, and what differs.

import { isObject } from "../format/body.ts";
import type { RecordedBody, RecordedCall } from "../format/cassette.ts";
import type { Request } from "../format/same-call.ts";

export function nearestCall(request: Request, calls: RecordedCall[]): string {
  let nearest: { call: RecordedCall; number: number; score: number } | null = null;
  for (const [at, call] of calls.entries()) {
    const score = likeness(request, call);
    if (!nearest || score > nearest.score) nearest = { call, number: at + 1, score };
  }
  if (!nearest) return "the cassette has no calls";
  const { call, number } = nearest;
  const difference = differenceOf(request, call);
  return `the nearest is call ${number}, ${call.method} ${call.path}${difference}`;
}

/** Paths count most, then the method, then the body. */
function likeness(request: Request, call: RecordedCall): number {
  const [mine, theirs] = [request.path, call.path].map((path) => path.split(/[/?&]/));
  const same = mine!.filter((piece, at) => piece === theirs![at]).length;
  const path = (2 * same) / (mine!.length + theirs!.length);
  return (
    4 * path + (request.method === call.method ? 1 : 0) + bodyLikeness(request.body, call.body)
  );
}

function bodyLikeness(mine: RecordedBody | undefined, theirs: RecordedBody | undefined): number {
  const [a, b] = [leavesOf(mine), leavesOf(theirs)];
  const same = [...a].filter(([path, value]) => b.get(path) === value).length;
  return a.size + b.size === 0 ? 1 : (2 * same) / (a.size + b.size);
}

/** Where the body differs first, if the rest is the same. */
function differenceOf(request: Request, call: RecordedCall): string {
  if (request.method !== call.method || request.path !== call.path) return "";
  const [mine, theirs] = [leavesOf(request.body), leavesOf(call.body)];
  for (const path of new Set([...mine.keys(), ...theirs.keys()])) {
    const [here, there] = [mine.get(path), theirs.get(path)];
    if (here === there) continue;
    const name = path || "the body";
    return `, where ${name} is ${there ?? "absent"} instead of ${here ?? "absent"}`;
  }
  return "";
}

/** Every value of a body as short text, by its path. */
function leavesOf(body: RecordedBody | undefined): Map<string, string> {
  const leaves = new Map<string, string>();
  const visit = (value: unknown, path: string) => {
    if (isObject(value) && Object.keys(value).length > 0) {
      for (const [name, each] of Object.entries(value))
        visit(each, path ? `${path}.${name}` : name);
    } else leaves.set(path, shortened(JSON.stringify(value)));
  };
  if (body) visit("json" in body ? body.json : Object.values(body)[0], "");
  return leaves;
}

const shortened = (text: string) => (text.length > 60 ? `${text.slice(0, 60)}…` : text);
