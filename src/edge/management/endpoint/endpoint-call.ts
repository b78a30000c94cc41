// A request to a load-balancing endpoint that the service makes for a caller, and its response as events.

import type { Socket } from "node:net";
import type { ApiKey } from "../../../domain/account.ts";

export interface CallerRequest {
  key: ApiKey;
  endpointId: string;
  method: string;
  /** The path and query at the worker. */
  path: string;
  host: string;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  /** The caller's connection. */
  socket: Socket;
  /** Aborts when the caller is gone. */
  signal: AbortSignal;
}

export type ResponseEvent =
  | { type: "response"; status: number; headers: [name: string, value: string][] }
  | { type: "data"; piece: Buffer }
  | { type: "end" }
  | { type: "error"; message: string };
