// Sends GraphQL documents as clients do.

import assert from "node:assert/strict";
import type { Answer, TestService } from "../fixtures/service/service.ts";

/** Sends a document and returns the raw response. */
export function post(
  service: Pick<TestService, "call">,
  query: string,
  variables?: object | null,
  headers?: Record<string, string>,
): Promise<Answer> {
  return service.call("POST", "/graphql", { query, variables }, headers);
}

/** The data of a document that must succeed: status 200 and no errors. */
export async function ask(
  service: Pick<TestService, "call">,
  query: string,
  variables?: object,
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
): Promise<any> {
  const answer = await post(service, query, variables);
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(Object.keys(answer.json), ["data"], `${query} ${answer.text}`);
  return answer.json.data;
}

/** The one error of a document that must fail, with status 200. */
export async function refusal(
  service: Pick<TestService, "call">,
  query: string,
  variables?: object,
): Promise<{ message: string; extensions: { code: string } }> {
  const answer = await post(service, query, variables);
  assert.equal(answer.status, 200, answer.text);
  assert.ok("data" in answer.json, answer.text);
  assert.equal(answer.json.errors?.length, 1, `${query} ${answer.text}`);
  return answer.json.errors[0];
}
