// Endpoints whose workers are written with a released version of the PyPI package `runpod`, and run
// by the process driver as a user's own would be.

import assert from "node:assert/strict";
import path from "node:path";
import { type TestContext, test } from "node:test";
import type { EndpointSpec } from "../../src/domain/endpoint/endpoint.ts";
import type { Protocol } from "../../src/domain/protocol.ts";
import { witness } from "../fidelity/witness.ts";
import { startHouse, type TestHouse } from "../house.ts";
import { pythonWith, type SdkVersion } from "./python-environment.ts";

export const WORKER = path.join(import.meta.dirname, "python", "worker.py");

/** What kind of handler the worker has; see python/worker.py. */
export type Shape =
  | "sync"
  | "async"
  | "concurrent"
  | "generator"
  | "async_generator"
  | "aggregate"
  | "language_model"
  | "refresh";

/** Constants short enough for a test, and long enough for a Python on a busy machine. */
export const shortTimes = {
  pollHoldMs: 3_000,
  leaseMs: 4_000,
  pingIntervalMs: 1_000,
  endingHoldMs: 300,
  refuseHoldMs: 1_000,
};

/** A test that has a house with the process driver, and the Python with this SDK. */
export function testWithSdk(
  sdk: SdkVersion,
  name: string,
  body: (house: TestHouse, python: string, t: TestContext) => Promise<void>,
  times: Partial<Protocol> = {},
): void {
  test(`runpod ${sdk}: ${name}`, async (t) => {
    const python = pythonWith(t, sdk);
    if (!python) return;
    const protocol = { ...shortTimes, ...times };
    const house = await startHouse(t, { drivers: "process", protocol });
    witness(t, house, `PyPI runpod ${sdk}, its workers`);
    await body(house, python, t);
  });
}

export function makePythonEndpoint(
  house: TestHouse,
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
  return house.makeEndpoint({ template, spec: { workersMax: 1, ...spec } });
}

/** Submits and returns the job's id. */
export async function submit(house: TestHouse, endpoint: string, input: object): Promise<string> {
  const answer = await house.call("POST", `/v2/${endpoint}/run`, { input });
  assert.equal(answer.status, 200, answer.text);
  return answer.json.id;
}

/** The job once it has ended. */
export async function ended(house: TestHouse, endpoint: string, id: string) {
  for (let asked = 0; ; asked++) {
    const { json } = await house.call("GET", `/v2/${endpoint}/status-sync/${id}?wait=20000`);
    if (!["IN_QUEUE", "IN_PROGRESS"].includes(json.status)) return json;
    assert.ok(asked < 3, `job ${id} does not end: ${JSON.stringify(json)}`);
  }
}

/** Submits all inputs at once; resolves to the jobs as they ended, in the same order. */
export function runAll(house: TestHouse, endpoint: string, inputs: object[]) {
  return Promise.all(
    inputs.map(async (input) => ended(house, endpoint, await submit(house, endpoint, input))),
  );
}

/** Asks for a job's state until it is the one waited for. */
export async function reaches(house: TestHouse, endpoint: string, id: string, state: string) {
  for (let asked = 0; ; asked++) {
    const { json } = await house.call("GET", `/v2/${endpoint}/status/${id}`);
    if (json.status === state) return json;
    assert.ok(asked < 1_200, `job ${id} does not become ${state}: ${JSON.stringify(json)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
