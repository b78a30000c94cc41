// Schema parts that several operations of REST v2 share.

import Type, { type TProperties, type TSchema } from "typebox";
import { TAKES } from "../fields.ts";

export const name = Type.String({ minLength: 1, maxLength: 191, description: "Display name." });

export const cudaVersion = Type.String({
  pattern: "^\\d+\\.\\d+$",
  [TAKES]: 'a CUDA version such as "12.4"',
});

export const orNull = <Schema extends TSchema>(schema: Schema, takes: string) =>
  Type.Union([schema, Type.Null()], { [TAKES]: `${takes}, or null` });

/** An object that accepts only its own members. */
export function closed<Properties extends TProperties>(
  properties: Properties,
  options: Record<string, unknown> = {},
) {
  return Type.Object(properties, { additionalProperties: false, ...options });
}

export const pageQuery = {
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1_000,
      description: "The nextCursor of the page before; absent for the first page.",
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000, default: 1_000, description: "Items per page." }),
  ),
};

export const pagination = Type.Object(
  {
    nextCursor: Type.Union([Type.String(), Type.Null()], {
      description: "The cursor of the next page; null on the last one.",
    }),
    hasNextPage: Type.Boolean(),
  },
  { title: "Pagination" },
);

export const noContent = (description: string) => ({ status: 204, description }) as const;
