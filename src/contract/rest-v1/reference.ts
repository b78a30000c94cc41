// The description of all this, for machines and for people. It needs no key.

import Type from "typebox";
import type { Operations } from "../operation.ts";

const index = Type.Object(
  {
    name: Type.String(),
    version: Type.String({ description: "Of this interface." }),
    openapi: Type.String({ description: "Where the document is." }),
    docs: Type.String({ description: "Where the reference is." }),
  },
  { title: "Index" },
);

export const referenceOperations = {
  getIndex: {
    method: "GET",
    path: "/v1",
    tag: "Reference",
    summary: "Find the way",
    needs: "nobody",
    answer: { status: 200, description: "Where to read on.", schema: index },
  },
  getOpenapi: {
    method: "GET",
    path: "/v1/openapi.json",
    tag: "Reference",
    summary: "Read this document",
    needs: "nobody",
    answer: {
      status: 200,
      description: "An OpenAPI document.",
      schema: Type.Object({}, { additionalProperties: true }),
    },
  },
  getDocs: {
    method: "GET",
    path: "/v1/docs",
    tag: "Reference",
    summary: "Read the reference as a page",
    needs: "nobody",
    answer: { status: 200, description: "A page.", mediaType: "text/html" },
  },
} as const satisfies Operations;
