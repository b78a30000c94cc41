// The jobs of a cassette: what endpoints were asked, and what they answered in the end.

import { Refusal } from "../../base/refusal.ts";
import { isObject } from "../format/body.ts";
import type { RecordedCall } from "../format/cassette.ts";
import { readCassette } from "../format/read-cassette.ts";
import { renderBody } from "../normal/render.ts";

interface EndedJob {
  /** JSON text. */
  input: string;
  /** The JSON text that a worker posts. */
  result: string;
}

const SUBMIT = /\/v2\/[^/]+\/(?:run|runsync)(?:\?|$)/;
const STATUS = /\/v2\/[^/]+\/status(?:-sync)?\/([^/?]+)/;

/** Throws Refusal if the file is no cassette, or no job in it ended. Its times count from `now`. */
export function readRecordedJobs(file: string, now: number): EndedJob[] {
  const inputs = new Map<unknown, unknown>();
  const jobs: EndedJob[] = [];
  for (const { path, body, answer } of readCassette(file).calls) {
    const reply = objectIn(answer.body);
    if (SUBMIT.test(path) && reply.id !== undefined) inputs.set(reply.id, objectIn(body).input);
    const id = SUBMIT.test(path) ? reply.id : STATUS.exec(path)?.[1];
    const input = inputs.get(id);
    const result = resultOf(reply);
    if (input === undefined || result === null) continue;
    inputs.delete(id);
    jobs.push({ input: rendered(input, now), result: rendered(result, now) });
  }
  if (jobs.length === 0) throw new Refusal(`${file} has no job that ended`);
  return jobs;
}

function resultOf({ status, output = null, error }: Record<string, unknown>): object | null {
  if (status === "COMPLETED") return { output };
  if (status !== "FAILED") return null;
  return { error: typeof error === "string" ? error : JSON.stringify(error ?? "it failed") };
}

function objectIn(body: RecordedCall["body"]): Record<string, unknown> {
  return body && "json" in body && isObject(body.json) ? body.json : {};
}

function rendered(json: unknown, now: number): string {
  const idOf = ({ name, detail }: { name: string; detail: string }) => `${name}${detail}`;
  const body = renderBody({ json }, { idOf, now, origin: "", key: "" });
  return JSON.stringify((body as { json: unknown }).json);
}
