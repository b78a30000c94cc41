// JSON in which every number keeps its digits: a job's output may hold integers of 64 bits.

/** The part of JSON that the proposal "JSON.parse source text access" adds. Node has it; TypeScript's library does not yet. */
interface ExactJson {
  rawJSON(text: string): unknown;
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { source: string }) => unknown,
  ): unknown;
}

const json = JSON as unknown as ExactJson;

/** A number that JavaScript would change becomes an object that prints as it was written. */
export function parseExact(text: string): unknown {
  return json.parse(text, (_, value, { source }) =>
    typeof value === "number" && String(value) !== source ? json.rawJSON(source) : value,
  );
}
