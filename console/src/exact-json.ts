// JSON in which numbers keep their text: 9007199254740993, 1.0 and 1e400 are shown, edited and sent as they are. A number that
// JavaScript would write differently is an object that JSON.stringify writes as it was read. Browsers offer both since
// 2025 (JSON.rawJSON, https://tc39.es/proposal-json-parse-with-source/); in older ones numbers are rounded.

type Reviver = (key: string, value: unknown, context?: { source: string }) => unknown;

const json = JSON as unknown as {
  parse(text: string, reviver?: Reviver): unknown;
  stringify(value: unknown, replacer: null, space: number): string;
  rawJSON?(text: string): object;
  isRawJSON?(value: unknown): boolean;
};

/** Matches in any text with a number that may lose its text; without one, the much faster parser will do. */
const MAY_LOSE = /[\d.]{16}|\d[eE]|\.\d*0(?!\d)|\.0{5}|-0(?![.\d])/;

/** Throws a SyntaxError if the text is no JSON. */
export function parseExactly(text: string): unknown {
  const { rawJSON } = json;
  if (!rawJSON || !MAY_LOSE.test(text)) return json.parse(text);
  return json.parse(text, (_key, value, context) => {
    const isLost =
      typeof value === "number" && context !== undefined && String(value) !== context.source;
    return isLost ? rawJSON(context.source) : value;
  });
}

/** Whether it stands for a number that keeps its text. */
export const isExactNumber = (value: unknown): boolean => json.isRawJSON?.(value) ?? false;

/** Whether one is in the value. */
export function hasExactNumber(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return isExactNumber(value) || Object.values(value).some(hasExactNumber);
}

/** Indented by two spaces, or as given. */
export const formatJson = (value: unknown, indent = 2): string =>
  json.stringify(value, null, indent) ?? "";

/** Whether a program that reads the value as JavaScript would change one of its numbers. */
export const losesNumbers = (value: unknown): boolean =>
  formatJson(value, 0) !== JSON.stringify(JSON.parse(formatJson(value, 0) || "null"));

/** A response whose numbers keep their text. */
export class ExactResponse extends Response {
  override async json(): Promise<unknown> {
    return parseExactly(await this.text());
  }
}
