// The one way in which a body's text can be refused: a code for the catalogue, a sentence for people.

export type JsonFaultCode = "invalid_json" | "too_deep";

/** `message` is a sentence that names the place; `offset` counts the bytes received before it. */
export class JsonFault extends Error {
  override readonly name = "JsonFault";
  readonly code: JsonFaultCode;
  readonly offset: number;

  constructor(code: JsonFaultCode, message: string, offset: number) {
    super(message);
    this.code = code;
    this.offset = offset;
  }
}

export function unexpected(expected: string, offset: number): JsonFault {
  const message = `the body is not valid JSON: expected ${expected} at byte ${offset}`;
  return new JsonFault("invalid_json", message, offset);
}

export function endsEarly(offset: number): JsonFault {
  const how = offset === 0 ? "it is empty" : `it ends too early, at byte ${offset}`;
  return new JsonFault("invalid_json", `the body is not valid JSON: ${how}`, offset);
}

export function tooDeep(maxDepth: number, offset: number): JsonFault {
  const message = `the body nests deeper than ${maxDepth} levels, at byte ${offset}`;
  return new JsonFault("too_deep", message, offset);
}
