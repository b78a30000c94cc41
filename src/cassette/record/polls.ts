// Polls: reads until something has happened. How many there are, and what they see on the way, depends on timing, so only
// the last one is recorded.

import { isObject } from "../format/body.ts";
import type { RecordedCall } from "../format/cassette.ts";
import { callKey, isRead } from "../format/same-call.ts";

export class RecordedPolls {
  readonly #answers = new Map<string, string>();
  readonly #unfinished = new Map<string, RecordedCall>();

  /** The calls to record now. */
  add(call: RecordedCall): RecordedCall[] {
    if (!isRead(call)) {
      this.#answers.clear();
      return [...this.end(), call];
    }
    const key = callKey(call);
    if (isUnfinishedJob(call)) {
      this.#unfinished.set(key, call);
      return [];
    }
    this.#unfinished.delete(key);
    const answer = JSON.stringify(call.answer);
    if (this.#answers.get(key) === answer) return [];
    this.#answers.set(key, answer);
    return [call];
  }

  /** The polls that saw no end. */
  end(): RecordedCall[] {
    const calls = [...this.#unfinished.values()];
    this.#unfinished.clear();
    return calls;
  }
}

/** Each part of a stream is read once, so none is left out. */
function isUnfinishedJob({ answer: { body } }: RecordedCall): boolean {
  if (!body || !("json" in body) || !isObject(body.json) || "stream" in body.json) return false;
  return body.json.status === "IN_QUEUE" || body.json.status === "IN_PROGRESS";
}
