// What the ids of a cassette are in a replay or in another session, learned from calls beside the recorded ones.

import { isObject } from "../format/body.ts";
import type { RecordedBody } from "../format/cassette.ts";
import { type Placeholder, splitPlaceholders } from "./placeholders.ts";

export class Bindings {
  readonly #values = new Map<string, string>();

  valueOf({ name, detail }: Placeholder): string | undefined {
    return this.#values.get(`${name}:${detail}`);
  }

  /** Learns from two bodies of one shape. */
  learnBody(recorded: RecordedBody | undefined, actual: RecordedBody | undefined): void {
    if (!recorded || !actual) return;
    if ("json" in recorded && "json" in actual) this.#learnValue(recorded.json, actual.json);
    if ("text" in recorded && "text" in actual) this.learnText(recorded.text, actual.text);
  }

  learnText(recorded: string, actual: string): void {
    const { texts, placeholders } = splitPlaceholders(recorded);
    if (placeholders.length === 0) return;
    const pattern = texts.map((text) => RegExp.escape(text)).join("(.+?)");
    const found = new RegExp(`^${pattern}$`, "s").exec(actual);
    placeholders.forEach(({ name, detail }, at) => {
      const value = found?.[at + 1];
      const key = `${name}:${detail}`;
      if (value === undefined || (name !== "id" && name !== "uuid")) return;
      if (!this.#values.has(key)) this.#values.set(key, value);
    });
  }

  #learnValue(recorded: unknown, actual: unknown): void {
    if (typeof recorded === "string") {
      if (typeof actual === "string") this.learnText(recorded, actual);
    } else if (isObject(recorded) && isObject(actual)) {
      for (const name of Object.keys(recorded)) {
        if (Object.hasOwn(actual, name)) this.#learnValue(recorded[name], actual[name]);
      }
    }
  }
}
