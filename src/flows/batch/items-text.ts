// The items of a batch as they are stored: a JSON array in which each input stays the client's own text.

import { Body, type LongText } from "../../base/json/body.ts";
import { elementSlices } from "../../base/json/elements.ts";
import { KeyTable } from "../../base/json/keys.ts";
import { scan } from "../../base/json/scanner.ts";
import type { JobPolicy } from "../../domain/job/job-policy.ts";
import { limits } from "../../domain/protocol.ts";

export interface BatchItemText {
  policy: JobPolicy;
  /** JSON text. */
  input: Buffer;
}

export class ItemsText {
  readonly #body = new Body();
  #length = 0;
  count = 0;

  add({ policy, input }: BatchItemText): void {
    const before = this.count === 0 ? "[" : ",";
    this.#push(Buffer.from(`${before}{"policy":${JSON.stringify(policy)},"input":`));
    this.#push(input);
    this.#push(Buffer.from("}"));
    this.count++;
  }

  /** Call once, after the last item. */
  end(): LongText {
    this.#push(Buffer.from("]"));
    return this.#body.view({ start: 0, end: this.#length });
  }

  #push(bytes: Buffer): void {
    this.#body.push(bytes);
    this.#length += bytes.length;
  }
}

const KEYS = new KeyTable(["policy", "input"]);

/** The items from the one at `first` on. Other work runs between slices of a long text. */
export async function* readItems(text: Buffer, first: number): AsyncGenerator<BatchItemText> {
  let index = 0;
  for await (const slice of elementSlices(text)) {
    for (const { start, end } of slice) {
      if (index++ < first) continue;
      const { members, body } = scan(text.subarray(start, end), {
        keys: KEYS,
        maxDepth: limits.depth,
      });
      const policy = JSON.parse(body.cut(members.get("policy")!).toString("utf8")) as JobPolicy;
      yield { policy, input: body.cut(members.get("input")!) };
    }
  }
}
