// Requests of the tests of REST v2: each names the status that it expects.

import assert from "node:assert/strict";
import type { TestService } from "../fixtures/service/service.ts";

export function asker(service: Pick<TestService, "call">) {
  return async (method: string, path: string, body?: unknown, status = 200) => {
    const answer = await service.call(method, path, body);
    assert.equal(answer.status, status, `${method} ${path} ${answer.text}`);
    return answer.json;
  };
}
