// JSON of a service without loss: an input may hold integers beyond 2^53, which JavaScript's numbers round.

/** The parts of JSON that TypeScript does not know yet. */
const json = JSON as unknown as {
  parse(
    text: string,
    revive: (key: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): object;
  isRawJSON(value: unknown): value is { rawJSON: string };
};

/** A number that would be written otherwise than it was read becomes one that JSON.stringify writes as it was. */
export const parseExact = (text: string): unknown =>
  json.parse(text, (_, value, { source }) =>
    typeof value === "number" && source !== undefined && JSON.stringify(value) !== source
      ? json.rawJSON(source)
      : value,
  );

export const isExactNumber = json.isRawJSON;
