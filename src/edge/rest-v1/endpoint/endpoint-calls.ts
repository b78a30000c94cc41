// Routes of /v1/endpoints/{endpointId}/requests.

import type { FastifyInstance } from "fastify";
import { validateHeaderName, validateHeaderValue } from "../../../base/node/http.ts";
import {
  CONNECTION_HEADERS,
  endpointCallOperations,
} from "../../../contract/rest-v1/endpoint/endpoint-call.ts";
import { Fault } from "../../../domain/fault.ts";
import { readEndpoint } from "../../../flows/endpoint/read.ts";
import type { FlowDeps } from "../../../flows/flow-deps.ts";
import { sendEvents } from "../../http/event-stream.ts";
import type { Addresses, StreamDeps } from "../../management/deps.ts";
import type { CallerRequest, ResponseEvent } from "../../management/endpoint/endpoint-call.ts";
import { streamSignal } from "../../management/observe/stream.ts";
import { originFor } from "../../management/serve/origin.ts";
import { serveOperations } from "../../management/serve/serve.ts";

interface Deps extends FlowDeps, StreamDeps, Pick<Addresses, "balancerUrl" | "publicUrl"> {
  /** Sends a request to a load-balancing endpoint. */
  callEndpoint(call: CallerRequest): AsyncIterable<ResponseEvent>;
}

export function endpointCallRoutes(app: FastifyInstance, deps: Deps): void {
  serveOperations(app, endpointCallOperations, {
    async callEndpoint({ accountId, key, params, body, reply }) {
      const { endpoint } = await readEndpoint(deps, accountId, params.endpointId, false);
      const { id } = endpoint;
      if (endpoint.spec.type !== "LB") throw new Fault("not_load_balancing", { id });
      const { method = "GET", path, headers = {}, body: text = "", ...rest } = body;
      rest satisfies Record<string, never>;
      requireOwnHeaders(headers);
      const signal = streamSignal(deps, reply);
      const { raw } = reply.request;
      const { host } = new URL(deps.balancerUrl(id, originFor(deps, reply.request)));
      const call = { key, endpointId: id, method, path, host, headers, socket: raw.socket };
      const events = deps.callEndpoint({ ...call, body: Buffer.from(text), signal });
      return sendEvents(reply, textsOf(events), { clock: deps.clock, signal });
    },
  });
}

function requireOwnHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    const path = `headers.${name}`;
    if (CONNECTION_HEADERS.includes(name.toLowerCase())) {
      throw new Fault("invalid_body", { detail: `${path} is set by the service; leave it out` });
    }
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch {
      const detail = `${JSON.stringify(path)} holds a character that no header may have`;
      throw new Fault("invalid_body", { detail });
    }
  }
}

async function* textsOf(events: AsyncIterable<ResponseEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    const { type, ...rest } = event;
    const data = "piece" in rest ? { base64: rest.piece.toString("base64") } : rest;
    yield `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
  }
}
