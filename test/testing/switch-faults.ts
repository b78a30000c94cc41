// A service on which tests switch faults.

import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import {
  type ServiceOptions,
  startService,
  type TestService,
} from "../fixtures/service/service.ts";

type Switched = Pick<TestService, "call">;

export const alone = (t: TestContext, env = {}, options: ServiceOptions = {}) =>
  startService(t, { replicas: null, env, ...options });

export async function turnOn(service: Switched, name: string, more = {}): Promise<void> {
  const answer = await service.call("POST", "/v1/faults", { name, ...more });
  assert.equal(answer.status, 200, answer.text);
}

export async function turnOff(service: Switched, name: string): Promise<void> {
  assert.equal((await service.call("DELETE", `/v1/faults/${name}`)).status, 204);
}

export async function hitsOf(service: Switched, name: string): Promise<number> {
  const { json } = await service.call("GET", "/v1/faults");
  return json.find((fault: { name: string }) => fault.name === name).hits;
}
