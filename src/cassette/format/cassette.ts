// The format of a cassette: JSON Lines, a header and then one recorded call per line. docs/record.md describes it.

import Type, { type Static } from "typebox";

/** Raised when an older Freehold could not read a new cassette. */
export const CASSETTE_VERSION = 1;

export const header = Type.Object({
  cassette: Type.Literal("freehold"),
  version: Type.Integer(),
});

/** JSON, text, or other bytes; an empty body is absent. */
const body = Type.Union([
  Type.Object({ json: Type.Unknown() }, { additionalProperties: false }),
  Type.Object({ text: Type.String() }, { additionalProperties: false }),
  Type.Object({ base64: Type.String() }, { additionalProperties: false }),
]);

const headers = Type.Record(Type.String(), Type.String());

export const recordedCall = Type.Object(
  {
    method: Type.String({ pattern: "^[A-Z]+$" }),
    path: Type.String({ pattern: "^/" }),
    headers,
    body: Type.Optional(body),
    answer: Type.Object(
      {
        status: Type.Integer({ minimum: 200, maximum: 599 }),
        headers,
        body: Type.Optional(body),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
);

export type RecordedBody = Static<typeof body>;
export type RecordedCall = Static<typeof recordedCall>;
export type RecordedAnswer = RecordedCall["answer"];
