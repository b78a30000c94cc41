// A worker's post, read without parsing it: a result, an error, progress, or a chunk. A body is JSON
// text whatever its content type, and Python's encoder may write NaN into it.

import type { LongText } from "../../base/json/body.ts";
import { KeyTable } from "../../base/json/keys.ts";
import type { Scanned } from "../../base/json/outline.ts";
import { readError } from "./read-error.ts";

export const RESULT_KEYS = new KeyTable(["output", "error", "stopPod", "status", "metrics"]);

export type Posted =
  | { kind: "progress"; output: LongText }
  | { kind: "result"; output: LongText | null; error: string | null; refresh: boolean };

export function readPosted(scanned: Scanned): Posted {
  const { members, body } = scanned;
  const outputValue = members.get("output");
  const output = outputValue ? body.view(outputValue) : null;
  const statusValue = members.get("status");
  const status = statusValue && body.view(statusValue).subarray(0, 20).toString("latin1");
  if (status === '"IN_PROGRESS"') {
    return { kind: "progress", output: output ?? Buffer.from("null") };
  }
  return {
    kind: "result",
    output: members.size === 0 ? bareResult(scanned) : output,
    error: readError(body, members.get("error")),
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

/** One yield; a body without an `output` is the yield itself. */
export function readChunk(scanned: Scanned): { output: string; metrics: string | null } {
  const output = scanned.members.get("output");
  const metrics = scanned.members.get("metrics");
  return {
    output: scanned.body.cut(output ?? scanned).toString("utf8"),
    metrics: metrics?.kind === "object" ? scanned.body.cut(metrics).toString("utf8") : null,
  };
}
