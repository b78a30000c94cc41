// Fields of a Pod that clients set and that every interface has under one name: a row a field. REST v1, REST v2 and GraphQL take
// their parts from here, and the command line from REST v1. Fields that an interface lacks or names differently are in its schema.

import Type, { type TSchema } from "typebox";
import { labels } from "../fields.ts";

interface Field {
  /** In requests of REST v1 and v2 that create or change a Pod. */
  request: TSchema;
  /** In answers of REST v1. */
  v1: TSchema;
  /** In answers of REST v2. */
  v2: TSchema;
  /** Its line in the GraphQL type Pod, and in the inputs that create and edit one; null for none. */
  graphql: { type: string; input: string | null };
}

const fields = {
  labels: {
    request: labels,
    v1: Type.Optional({
      ...labels,
      description: "Absent without any. A worker has those of its endpoint.",
    }),
    v2: Type.Optional({
      ...labels,
      description: "Absent without any. An extension of Freehold.",
    }),
    graphql: {
      type: '"Its labels; empty without any. An extension of Freehold."\n  labels: [Label!]!',
      input:
        '"All of its labels; a change that omits them keeps them. An extension of Freehold."\n  labels: [LabelInput!]',
    },
  },
} satisfies Record<string, Field>;

export const podRequestFields = part("request");
export const podV1Fields = part("v1");
export const podV2Fields = part("v2");

const rows: Field[] = Object.values(fields);

/** The lines of the GraphQL schema that stand for the rows, by the comment that is in their place. */
export const podGraphqlLines = {
  "# fields of resource/pod.ts": rows.map(({ graphql }) => graphql.type),
  "# inputs of resource/pod.ts": rows.flatMap(({ graphql }) => graphql.input ?? []),
};

function part<Part extends "request" | "v1" | "v2">(name: Part) {
  const entries = Object.entries(fields).map(([field, row]) => [field, row[name]]);
  return Object.fromEntries(entries) as {
    [Name in keyof typeof fields]: (typeof fields)[Name][Part];
  };
}
