// The operations that describe a version of the management API. Neither needs a key.

import Type from "typebox";

/** The OpenAPI document of a version, and a page that shows it. */
export const documentOperations = <const Version extends "v1" | "v2">(version: Version) =>
  ({
    getOpenapi: {
      method: "GET",
      path: `/${version}/openapi.json`,
      tag: "Reference",
      summary: "Read the OpenAPI document",
      needs: "nothing",
      answer: {
        status: 200,
        description: "The OpenAPI document.",
        schema: Type.Object({}, { additionalProperties: true }),
      },
    },
    getDocs: {
      method: "GET",
      path: `/${version}/docs`,
      tag: "Reference",
      summary: "Read the API reference as a web page",
      needs: "nothing",
      answer: { status: 200, description: "The API reference.", mediaType: "text/html" },
    },
  }) as const;
