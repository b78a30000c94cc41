// Puts values in the place of a cassette's placeholders.

import { type BodyChange, changeBody } from "../format/body.ts";
import type { RecordedBody } from "../format/cassette.ts";
import { fillPlaceholders, type Placeholder, solePlaceholder } from "./placeholders.ts";
import { writeTime } from "./times.ts";

export interface Values {
  /** The value of an id or a UUID. */
  idOf: (placeholder: Placeholder) => string;
  now: number;
  origin: string;
  key: string;
}

export function renderBody(
  body: RecordedBody | undefined,
  values: Values,
): RecordedBody | undefined {
  const change: BodyChange = (value) => {
    if (typeof value !== "string") return undefined;
    const sole = solePlaceholder(value);
    return sole ? render(sole, values) : renderText(value, values);
  };
  return body && changeBody(body, change);
}

function renderText(text: string, values: Values): string {
  return fillPlaceholders(text, (placeholder) => String(render(placeholder, values)));
}

/** The placeholders of a query are encoded; ids and UUIDs need no encoding. */
export function renderPath(path: string, values: Values): string {
  return fillPlaceholders(path, (placeholder) =>
    encodeURIComponent(String(render(placeholder, values))),
  );
}

export function renderHeaders(
  headers: Record<string, string>,
  values: Values,
): Record<string, string> {
  const pairs = Object.entries(headers).map(([name, text]) => [name, renderText(text, values)]);
  return Object.fromEntries(pairs);
}

function render(placeholder: Placeholder, values: Values): string | number {
  switch (placeholder.name) {
    case "id":
    case "uuid":
      return values.idOf(placeholder);
    case "time":
      return writeTime(placeholder.detail, values.now);
    case "number":
      return 0;
    case "secret":
      return "secret";
    case "key":
    case "origin":
      return values[placeholder.name];
  }
}
