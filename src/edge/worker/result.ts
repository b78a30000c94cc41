// A worker's post, read without parsing it: a result, an error, progress, or a chunk. A body is JSON
// text whatever its content type, and Python's encoder may write NaN into it.

import type { LongText } from "../../base/json/body.ts";
import { KeyTable } from "../../base/json/keys.ts";
import type { JsonValue, Scanned } from "../../base/json/outline.ts";

export const RESULT_KEYS = new KeyTable(["output", "error", "stopPod", "status", "metrics"]);

export type Posted =
  | { kind: "progress"; output: LongText }
  | { kind: "result"; output: LongText | null; error: string | null; refresh: boolean };

export function readPosted(scanned: Scanned): Posted {
  const { members, body } = scanned;
  const cut = (value: JsonValue | undefined) => (value ? body.cut(value) : null);
  const outputValue = members.get("output");
  const output = outputValue ? body.view(outputValue) : null;
  const status = cut(members.get("status"))?.toString("utf8");
  if (status === '"IN_PROGRESS"') {
    return { kind: "progress", output: output ?? Buffer.from("null") };
  }
  return {
    kind: "result",
    output: members.size === 0 ? bareResult(scanned) : output,
    error: errorText(cut(members.get("error")), members.get("error")),
    refresh: members.get("stopPod")?.kind === "true",
  };
}

/** A worker without the SDK may post the bare return value of its handler. */
function bareResult(scanned: Scanned): LongText | null {
  if (scanned.kind === "null") return null;
  const text = scanned.body.view(scanned);
  const begin = text.subarray(0, 64).toString("latin1");
  return scanned.kind === "object" && /^\{\s*\}$/.test(begin) ? null : text;
}

/** An error may be any JSON; clients read a string. A value that is false in Python is no error. */
function errorText(text: Buffer | null, value: JsonValue | undefined): string | null {
  if (!text || !value) return null;
  const json = text.toString("utf8");
  if (value.kind === "string") return (JSON.parse(json) as string) || null;
  if (value.kind === "null" || value.kind === "false") return null;
  const isNothing = /^(?:\{\s*\}|\[\s*\]|-?0+(?:\.0*)?)$/.test(json);
  return isNothing ? null : json;
}

/** One yield; a body without an `output` is the yield itself. */
export function readChunk(scanned: Scanned): { output: string; metrics: string | null } {
  const output = scanned.members.get("output");
  const metrics = scanned.members.get("metrics");
  return {
    output: scanned.body.cut(output ?? scanned).toString("utf8"),
    metrics: metrics?.kind === "object" ? scanned.body.cut(metrics).toString("utf8") : null,
  };
}
