// Which recorded call a call is: the same method, path, query and body. Answers to the same call come in their recorded
// order, and the last answer to a read repeats.

import type { RecordedCall } from "../format/cassette.ts";
import { callKey, isRead, type Request } from "../format/same-call.ts";
import { nearestCall } from "./nearest-call.ts";

export class Matcher {
  readonly #calls: RecordedCall[];
  readonly #waiting = new Map<string, RecordedCall[]>();
  readonly #last = new Map<string, RecordedCall>();
  readonly #answered = new Set<RecordedCall>();

  constructor(calls: RecordedCall[]) {
    this.#calls = calls;
    for (const call of calls) {
      const key = callKey(call);
      this.#waiting.set(key, [...(this.#waiting.get(key) ?? []), call]);
    }
  }

  /** The call that answers, or a sentence that says why none does. */
  match(request: Request): RecordedCall | string {
    const key = callKey(request);
    const call = this.#waiting.get(key)?.shift() ?? (isRead(request) && this.#last.get(key));
    if (call) {
      this.#last.set(key, call);
      this.#answered.add(call);
      return call;
    }
    const what = `${request.method} ${request.path}`;
    const last = this.#last.get(key);
    if (!last) return `${what} is not in the cassette; ${nearestCall(request, this.#calls)}`;
    const calls = this.#calls.filter((each) => callKey(each) === key).length;
    const times = calls === 1 ? "once" : `${calls} times`;
    return `${what} was recorded ${times}, and is called once more`;
  }

  /** How many recorded calls were answered. */
  get answered(): number {
    return this.#answered.size;
  }
}
