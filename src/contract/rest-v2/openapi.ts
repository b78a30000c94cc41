// The OpenAPI document of REST v2.

import { type OpenapiDocument, openapiDocument } from "../openapi-document.ts";
import { operationsV2, tagsV2 } from "./operations.ts";
import { problem } from "./problem.ts";

export function openapiV2(): OpenapiDocument {
  return openapiDocument({
    info: {
      title: "Freehold REST v2",
      version: "2.0.0",
      description: "The newer management API.",
    },
    operations: operationsV2,
    tags: tagsV2,
    examples: {},
    error: { name: "Problem", schema: problem, mediaType: "application/problem+json" },
    invalidStatus: 422,
    explodesLists: false,
    security: {
      bearer: { type: "http", scheme: "bearer", description: "Authorization: Bearer <key>" },
    },
  });
}
