// Makes templates and endpoints over HTTP, for tests that look at what becomes of them.

import assert from "node:assert/strict";
import type { TestHouse } from "../house.ts";

let made = 0;

export async function makeTemplate(house: TestHouse, settings: object = {}): Promise<string> {
  const name = `template ${++made}`;
  const body = { name, imageName: "img", isServerless: true, ...settings };
  const { status, json, text } = await house.call("POST", "/v1/templates", body);
  assert.equal(status, 200, text);
  return json.id;
}

export async function make(house: TestHouse, settings: object = {}) {
  const templateId = await makeTemplate(house);
  return house.call("POST", "/v1/endpoints", { templateId, ...settings });
}
