// The description of all this, for machines and for people. It needs no key.

import Type from "typebox";
import type { Operations } from "../operation.ts";

export const referenceOperations = {
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
