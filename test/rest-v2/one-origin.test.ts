// One origin for REST v2 and the queues: whatever follows a reserved word of /v2, no queue answers.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isRestV2Path, reservedWords } from "../../src/domain/reserved-words.ts";
import { startService } from "../fixtures/service/service.ts";

const RUNS = 150;
const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];
const jobWords = ["run", "runsync", "health", "purge-queue", "status/a", "stream/a", "cancel/a"];
const workerWords = ["job-take/w", "job-done/w/j", "ping/w", "openai/v1/models", "requests", ""];

test("no queue answers below a reserved word, and every queue answers below its id", async (t) => {
  const service = await startService(t, { protocol: { refuseHoldMs: 0 } });
  // An endpoint whose id is a reserved word, as an older version could have created one.
  for (const id of ["pods", "flash"]) await service.makeEndpoint({ id });
  const endpointId = await service.makeEndpoint();
  const word = fc.constantFrom(...reservedWords);
  const rest = fc.constantFrom(...jobWords, ...workerWords);
  const encoded = fc.boolean();
  const request = fc.tuple(fc.constantFrom(...methods), word, rest, encoded);
  await fc.assert(
    fc.asyncProperty(request, async ([method, first, tail, isEncoded]) => {
      const shown = isEncoded ? `%${first.charCodeAt(0).toString(16)}${first.slice(1)}` : first;
      const path = `/v2/${shown}/${tail}`;
      const body = method === "GET" || method === "DELETE" ? undefined : { input: {} };
      const { status, json, headers } = await service.call(method, path, body);
      assert.equal(json?.status === "IN_QUEUE" || json?.jobs !== undefined, false, path);
      if (status < 300) return;
      assert.ok([400, 404, 405, 422].includes(status), `${method} ${path} ${status}`);
      if (isRestV2Path(path)) {
        assert.match(headers.get("content-type")!, /^application\/problem\+json/, path);
      }
    }),
    { numRuns: RUNS },
  );
  const submitted = await service.call("POST", `/v2/${endpointId}/run`, { input: {} });
  assert.equal(submitted.json.status, "IN_QUEUE");
  const health = await service.call("GET", "/v2/podsy/health");
  assert.equal(health.json.code, "endpoint_not_found");
});
