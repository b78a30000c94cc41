// A request to the workers of a load-balancing endpoint over the management API. Its response comes as events, so
// that a page of the console can show what a worker answers without being that answer.

import Type from "typebox";
import type { Operations } from "../../operation.ts";

/** Headers of the connection, which the service sets itself. */
export const CONNECTION_HEADERS: readonly string[] = [
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

const endpointCall = Type.Object(
  {
    method: Type.Optional(
      Type.Enum(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"], { default: "GET" }),
    ),
    path: Type.String({
      pattern: "^/[!-~]*$",
      maxLength: 8_000,
      description: "The path and query at the worker, with spaces and other letters escaped.",
      examples: ["/v1/models"],
    }),
    headers: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        maxProperties: 100,
        description: `Headers for the worker. The service sets those of the connection itself: ${CONNECTION_HEADERS.join(", ")}.`,
      }),
    ),
    body: Type.Optional(Type.String({ description: "The body, sent as UTF-8." })),
  },
  { title: "EndpointCallInput", additionalProperties: false },
);
export const endpointCallOperations = {
  callEndpoint: {
    method: "POST",
    path: "/v1/endpoints/{endpointId}/requests",
    tag: "Endpoints",
    summary: "Send a request to a load-balancing endpoint",
    description:
      "Sends one request to a worker, as a request to the endpoint's own address is, and responds with " +
      "server-sent events: response with the members status and headers, a list of names and values; " +
      "data with the member base64 for each piece of the body; end, or error with the member message " +
      "if the response was cut off. Clients call the endpoint's own address instead.",
    needs: { of: "queue", access: "write" },
    body: endpointCall,
    answer: { status: 200, description: "The response as events.", mediaType: "text/event-stream" },
  },
} as const satisfies Operations;
