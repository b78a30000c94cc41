// The bodies that report a handler's outcome: a value, a returned error, a thrown error. Their form is
// that of the Python SDK's workers, so that clients of those can read them.

import { inspect } from "node:util";
import { version } from "./version.ts";

/** The JSON text of a value; undefined becomes null. Throws for a value without a JSON form. */
export function encode(value: unknown): string {
  const text = JSON.stringify(value ?? null);
  if (text === undefined) throw new TypeError(`a ${typeof value} has no JSON form`);
  return text;
}

/** The body that ends a job whose handler returned. Throws for a value without a JSON form. */
export function bodyOfResult(returned: unknown, refreshWorker: boolean): string {
  if (!isRecord(returned)) return body({ output: encode(returned), stopPod: refreshWorker });
  const { error, refresh_worker: refresh, ...rest } = returned;
  const empty = Object.keys(rest).length === 0;
  return body({
    output: empty ? undefined : encode(rest),
    error: error ? encode(error) : undefined,
    stopPod: refreshWorker || Boolean(refresh),
  });
}

/** The body that ends a stream; `chunks` are the JSON texts of its aggregate output. */
export function bodyOfStream(chunks: string[], refreshWorker: boolean): string {
  return body({ output: `[${chunks.join(",")}]`, stopPod: refreshWorker });
}

/** The body that ends a job with an error. */
export function bodyOfFailure(sentence: string, refreshWorker: boolean): string {
  return body({ error: encode(sentence), stopPod: refreshWorker });
}

/** The error of a handler that threw, as a string of JSON. */
export function describeThrown(thrown: unknown, origin: { hostname: string; workerId: string }) {
  const error =
    thrown instanceof Error
      ? thrown
      : new Error(typeof thrown === "string" ? thrown : inspect(thrown));
  return JSON.stringify({
    error_type: error.name === "Error" ? error.constructor.name : error.name,
    error_message: error.message,
    error_traceback: error.stack ?? "",
    hostname: origin.hostname,
    worker_id: origin.workerId,
    runpod_version: `freehold-worker/${version}`,
  });
}

/** The error of a yielded value, if it is an object with a truthy `error`. */
export function errorYielded(chunk: unknown): string | null {
  if (!isRecord(chunk) || !chunk.error) return null;
  return typeof chunk.error === "string" ? chunk.error : encode(chunk.error);
}

function body(parts: { output?: string; error?: string; stopPod: boolean }): string {
  const members = [
    parts.output === undefined ? [] : `"output":${parts.output}`,
    parts.error === undefined ? [] : `"error":${parts.error}`,
    parts.stopPod ? `"stopPod":true` : [],
  ];
  return `{${members.flat().join(",")}}`;
}

/** True for an object whose members are those of its JSON form: not an array, and without toJSON. */
function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return !("toJSON" in value && typeof value.toJSON === "function");
}
