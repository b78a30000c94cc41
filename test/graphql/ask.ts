// Sends documents as clients do.

import assert from "node:assert/strict";
import type { Answer, TestHouse } from "../house.ts";

/** Sends a document; what comes back as it came. */
export function post(
  house: Pick<TestHouse, "call">,
  query: string,
  variables?: object | null,
  headers?: Record<string, string>,
): Promise<Answer> {
  return house.call("POST", "/graphql", { query, variables }, headers);
}

/** The data of a document that must succeed: 200, and no trace of errors. */
export async function ask(
  house: Pick<TestHouse, "call">,
  query: string,
  variables?: object,
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
): Promise<any> {
  const answer = await post(house, query, variables);
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(Object.keys(answer.json), ["data"], `${query} ${answer.text}`);
  return answer.json.data;
}

/** The one refusal of a document that must fail, with a status of 200. */
export async function refusal(
  house: Pick<TestHouse, "call">,
  query: string,
  variables?: object,
): Promise<{ message: string; extensions: { code: string } }> {
  const answer = await post(house, query, variables);
  assert.equal(answer.status, 200, answer.text);
  assert.ok("data" in answer.json, answer.text);
  assert.equal(answer.json.errors?.length, 1, `${query} ${answer.text}`);
  return answer.json.errors[0];
}
