// Creates templates and endpoints over HTTP, for tests of their effects.

import assert from "node:assert/strict";
import type { TestService } from "../fixtures/service/service.ts";

let templateCount = 0;

export async function makeTemplate(service: TestService, settings: object = {}): Promise<string> {
  const name = `template ${++templateCount}`;
  // Without an engine nothing runs it, so the test has the queue to itself.
  const body = { name, imageName: "img", driver: "docker", isServerless: true, ...settings };
  const { status, json, text } = await service.call("POST", "/v1/templates", body);
  assert.equal(status, 200, text);
  return json.id;
}

export async function make(service: TestService, settings: object = {}) {
  const templateId = await makeTemplate(service);
  return service.call("POST", "/v1/endpoints", { templateId, ...settings });
}
