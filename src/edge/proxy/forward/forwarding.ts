// A request to a Pod that is to be forwarded, and where its response goes.

import type { Unreached } from "../../../domain/container/unreachable-port.ts";
import type { ResponseWriter } from "../../http/plain/exchange.ts";
import type { OutgoingRequest } from "../connection/http-connection.ts";
import type { RequestBody } from "../connection/request-body.ts";
import type { ProxyRequest } from "../proxy-request.ts";

export interface Forwarding {
  outgoing: OutgoingRequest;
  body: RequestBody | null;
  isRepeatable: boolean;
  target: ProxyRequest;
  response: ResponseWriter;
  /** Called if there is no response. */
  refuse(why: Unreached): void;
}
