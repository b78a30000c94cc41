// The API reference: the OpenAPI document and a page that shows it. Neither needs a key.

import Type from "typebox";
import type { Operations } from "../../operation.ts";
import { documentOperations } from "../../reference.ts";

const apiIndex = Type.Object(
  {
    name: Type.String(),
    version: Type.String({ description: "Version of the API." }),
    openapi: Type.String({ description: "URL of the OpenAPI document." }),
    docs: Type.String({ description: "URL of the API reference." }),
  },
  { title: "Index" },
);

export const referenceOperations = {
  getIndex: {
    method: "GET",
    path: "/v1",
    tag: "Reference",
    summary: "Read the index",
    needs: "nothing",
    answer: { status: 200, description: "The index.", schema: apiIndex },
  },
  ...documentOperations("v1"),
} as const satisfies Operations;
