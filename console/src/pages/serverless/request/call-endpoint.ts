// A request to a load-balancing endpoint, sent by the service. What the worker answers comes as events, so that it never
// becomes a page or a response of the console's own origin.

import { EventSourceParserStream } from "eventsource-parser/stream";
import { type Schema, service } from "../../../api/client.ts";

/** The head of the response, a piece of its body, or the reason why it was cut off. */
export type EndpointResponseEvent =
  | { type: "response"; status: number; headers: [name: string, value: string][] }
  | { type: "data"; bytes: Uint8Array }
  | { type: "error"; message: string };

/** Ends with the response. Throws the service's error if it did not send the request. */
export async function* callEndpoint(
  endpointId: string,
  body: Schema["EndpointCallInput"],
  signal: AbortSignal,
): AsyncGenerator<EndpointResponseEvent> {
  const { data, error } = await service.POST("/v1/endpoints/{endpointId}/requests", {
    params: { path: { endpointId } },
    body,
    signal,
    parseAs: "stream",
  });
  if (error) throw error;
  const events = (data as ReadableStream<BufferSource>)
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
  const reader = events.getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return yield { type: "error", message: "The response was cut off before its end." };
    if (value.event === "end") return;
    const fields = JSON.parse(value.data);
    if (value.event === "data") yield { type: "data", bytes: bytesOf(fields.base64) };
    else yield { ...fields, type: value.event };
  }
}

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (each) => each.charCodeAt(0));
