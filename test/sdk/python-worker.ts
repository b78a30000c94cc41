// Endpoints whose workers use a released version of the PyPI package `runpod`, and run under the
// process driver as a user's own would.

import assert from "node:assert/strict";
import path from "node:path";
import { type TestContext, test } from "node:test";
import type { EndpointSpec } from "../../src/domain/endpoint/endpoint.ts";
import type { Protocol } from "../../src/domain/protocol.ts";
import { witness } from "../fidelity/witness.ts";
import { startService, type TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { pythonWith, type SdkVersion } from "./python-environment.ts";

export const WORKER = path.join(import.meta.dirname, "python", "worker.py");

/** The kind of handler of the worker; see python/worker.py. */
export type Shape =
  | "sync"
  | "async"
  | "concurrent"
  | "generator"
  | "async_generator"
  | "aggregate"
  | "language_model"
  | "refresh";

/** Times that are short enough for a test, and long enough for Python on a busy machine. */
export const shortTimes = {
  pollHoldMs: 3_000,
  leaseMs: 4_000,
  pingIntervalMs: 1_000,
  endingHoldMs: 300,
  refuseHoldMs: 1_000,
};

/** A test with a service that has the process driver, and the Python with this SDK. */
export function testWithSdk(
  sdk: SdkVersion,
  name: string,
  body: (service: TestService, python: string, t: TestContext) => Promise<void>,
  times: Partial<Protocol> = {},
): void {
  test(`runpod ${sdk}: ${name}`, async (t) => {
    const python = pythonWith(t, sdk);
    if (!python) return;
    const protocol = { ...shortTimes, ...times };
    const service = await startService(t, { drivers: "process", protocol });
    witness(t, service, `PyPI runpod ${sdk}, its workers`);
    await body(service, python, t);
  });
}

export function makePythonEndpoint(
  service: TestService,
  python: string,
  shape: Shape,
  spec: Partial<EndpointSpec> = {},
  env: Record<string, string> = {},
): Promise<string> {
  const template = {
    driver: "process" as const,
    dockerStartCmd: [python, WORKER],
    env: { SHAPE: shape, ...env },
  };
  return service.makeEndpoint({ template, spec: { workersMax: 1, ...spec } });
}

/** Submits and returns the job's id. */
export async function submit(
  service: TestService,
  endpoint: string,
  input: object,
): Promise<string> {
  const answer = await service.call("POST", `/v2/${endpoint}/run`, { input });
  assert.equal(answer.status, 200, answer.text);
  return answer.json.id;
}

/** The job once it has ended. */
export async function ended(service: TestService, endpoint: string, id: string) {
  for (let attempt = 0; ; attempt++) {
    const { json } = await service.call("GET", `/v2/${endpoint}/status-sync/${id}?wait=20000`);
    if (!["IN_QUEUE", "IN_PROGRESS"].includes(json.status)) return json;
    assert.ok(attempt < 3, `job ${id} does not end: ${JSON.stringify(json)}`);
  }
}

/** Submits all inputs at once; resolves to the ended jobs in the same order. */
export function runAll(service: TestService, endpoint: string, inputs: object[]) {
  return Promise.all(
    inputs.map(async (input) => ended(service, endpoint, await submit(service, endpoint, input))),
  );
}

/** Polls a job's state until it is the expected one. */
export function reaches(service: TestService, endpoint: string, id: string, state: string) {
  return until(async () => {
    const { json } = await service.call("GET", `/v2/${endpoint}/status/${id}`);
    return json.status === state ? json : null;
  });
}
