// A load-balancing endpoint whose workers are processes with a real HTTP server.

import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import path from "node:path";
import type { TestContext } from "node:test";
import {
  type ServiceOptions,
  startService,
  type TestService,
} from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";

export const SERVER = path.join(import.meta.dirname, "model-server.mjs");

/** Times that suit tests; none of them is asserted. */
const QUICK = {
  healthStartingMs: 100,
  healthReadyMs: 300,
  loadReportMs: 50,
  requestSettleMs: 2_000,
  endingHoldMs: 50,
  endGraceMs: 2_000,
};

export function startBalancing(t: TestContext, options: ServiceOptions = {}) {
  const protocol = { ...QUICK, ...options.protocol };
  return startService(t, { drivers: "process", ...options, protocol });
}

export interface EndpointOptions {
  env?: Record<string, string>;
  requestCount?: number;
  workers?: { min?: number; max?: number; idleTimeout?: number };
}

/** Creates an endpoint over REST v2 and returns its answer. */
export async function createEndpoint(service: TestService, options: EndpointOptions = {}) {
  const template = await service.call("POST", "/v1/templates", {
    name: `model ${Math.random()}`,
    imageName: "model-server",
    isServerless: true,
    dockerStartCmd: [process.execPath, SERVER],
    env: options.env ?? {},
  });
  const created = await service.call("POST", "/v2/serverless", {
    name: "model",
    type: "LOAD_BALANCER",
    templateId: template.json.id,
    cpu: [{ id: "cpu3c", vcpuCount: 2 }],
    scaling: { type: "REQUEST_COUNT", requestCount: options.requestCount ?? 1 },
    workers: options.workers ?? { min: 0, max: 3, idleTimeout: 60 },
  });
  if (created.status >= 300) throw new Error(created.text);
  return created.json as { id: string; requestUrls: { base: string; health: string } };
}

export interface Sent {
  method?: string;
  path?: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
  key?: string | null;
}

/** A request by host name, as a client whose resolver knows the name. */
export async function send(
  { origin, key }: TestService,
  endpointId: string,
  { method = "GET", path: target = "/", headers = {}, body, key: own = key }: Sent = {},
) {
  const { port } = new URL(origin);
  const outgoing = request({
    host: "127.0.0.1",
    port,
    method,
    path: target,
    agent: false,
    headers: {
      host: `${endpointId}.lb.localhost:${port}`,
      ...(own !== null && { authorization: `Bearer ${own}` }),
      ...headers,
    },
  });
  outgoing.end(body);
  const [answer] = (await once(outgoing, "response")) as [IncomingMessage];
  return answer;
}

export async function textOf(answer: IncomingMessage): Promise<string> {
  let text = "";
  for await (const piece of answer) text += piece;
  return text;
}

export async function call(service: TestService, endpointId: string, sent: Sent = {}) {
  const answer = await send(service, endpointId, sent);
  const text = await textOf(answer);
  const { statusCode: status, headers } = answer;
  return { status, headers, text, worker: headers["x-runpod-worker-id"] as string | undefined };
}

export async function workersOf(service: TestService, endpointId: string) {
  const { json } = await service.call("GET", `/v2/${endpointId}/health`);
  return json.workers as Record<"ready" | "running" | "initializing" | "idle", number>;
}

/** Waits until the endpoint has this many ready workers, busy or not. */
export const untilReady = (service: TestService, endpointId: string, count: number) =>
  until(async () => {
    const { ready, running } = await workersOf(service, endpointId);
    return ready + running === count;
  });
