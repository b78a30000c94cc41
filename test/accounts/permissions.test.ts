// Tests of every role and permission, on every route and GraphQL root, against the committed table.

import assert from "node:assert/strict";
import { test } from "node:test";
import { simulatedService } from "../pods/fixture.ts";
import { committed, whoMay } from "./permissions.ts";

test("each key has exactly the permissions in the table", async (t) => {
  const service = await simulatedService(t, { protocol: { refuseHoldMs: 0 } });
  // After a change, run node bin/run.mjs test/accounts/write-permissions.ts and review the
  // difference.
  assert.deepEqual(await whoMay(service), committed());
});

test("a key for one endpoint's queue is rejected by other endpoints", async (t) => {
  const service = await simulatedService(t);
  const [mine, other] = [await service.makeEndpoint(), await service.makeEndpoint()];
  const permissions = { queue: "write", endpoints: [mine] };
  const { json } = await service.call("POST", "/v1/keys", { name: "k", permissions });
  const headers = { authorization: `Bearer ${json.key}` };
  const paths = service.service.routes
    .filter(({ needs, path }) => needs.includes('"queue"') && path.includes(":endpointId"))
    .map(({ method, path }) => ({ method, path: path.replace(/:jobId|\*/, "nobody") }));
  assert.ok(paths.length > 15);
  for (const { method, path } of paths) {
    const body = method === "GET" || method === "DELETE" ? undefined : { input: {} };
    const ask = (id: string) =>
      service.call(method, `${path.replace(":endpointId", id)}?wait=1000`, body, headers);
    const refused = await ask(other);
    assert.deepEqual([refused.status, refused.json.code], [403, "forbidden"], `${method} ${path}`);
    // This route would wait for a job.
    if (path.includes("openai")) continue;
    assert.notEqual((await ask(mine)).status, 403, `${method} ${path}`);
  }
});
