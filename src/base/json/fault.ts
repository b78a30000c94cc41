// The error for a body that is refused: a code of the fault catalog and a message.

export type JsonFaultCode = "invalid_json" | "too_deep";

/** `message` names the position; `offset` is the number of bytes before it. */
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
  const reason = offset === 0 ? "it is empty" : `it ends too early, at byte ${offset}`;
  return new JsonFault("invalid_json", `the body is not valid JSON: ${reason}`, offset);
}

export function tooDeep(maxDepth: number, offset: number): JsonFault {
  const message = `the body nests deeper than ${maxDepth} levels, at byte ${offset}`;
  return new JsonFault("too_deep", message, offset);
}
