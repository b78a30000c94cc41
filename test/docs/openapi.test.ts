// The OpenAPI document tells of what is there: it is the committed one, and it names every route
// that clients may use and no other.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { openapi } from "../../src/contract/openapi.ts";
import { startHouse } from "../house.ts";
import { documented } from "../routes.ts";
import { DOCUMENT } from "./pages.ts";

/** Routes that are not for clients: what workers and replicas call, probes, and what programs scrape. */
const NOT_FOR_CLIENTS =
  /^\/graphql|^\/v2\/:endpointId\/(job-take|job-take-batch|job-stop|job-done|job-stream|ping)\/|^\/(healthz|readyz|metrics)$|^\/replica\//;

test("the committed document is the one that is served", async (t) => {
  const house = await startHouse(t);
  const served = await fetch(`${house.origin}/v1/openapi.json`);
  assert.equal(served.status, 200);
  assert.match(served.headers.get("content-type") ?? "", /^application\/json/);
  const document = (await served.json()) as ReturnType<typeof openapi>;
  assert.deepEqual(document, JSON.parse(JSON.stringify(openapi())));
  const committed = JSON.parse(readFileSync(DOCUMENT, "utf8"));
  assert.deepEqual(committed, document, "write it anew: node bin/run.mjs test/docs/write.ts");
  assert.deepEqual([document.info.version, document.openapi], ["0.1.0", "3.1.0"]);
});

test("the document is one, to a validator that is not ours", async () => {
  const { valid, errors } = await new Validator().validate(
    JSON.parse(readFileSync(DOCUMENT, "utf8")),
  );
  assert.deepEqual([valid, errors], [true, undefined]);
});

/** GraphQL has a schema of its own. */
test("every route for clients is in the document, and nothing else is", async (t) => {
  const house = await startHouse(t);
  const routes = house.house.routes
    .filter(({ path }) => !NOT_FOR_CLIENTS.test(path))
    .map(({ method, path }) => `${method} ${documented(path)}`);
  const described = Object.entries(openapi().paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  assert.deepEqual(described.sort(), routes.sort());
});

test("every reference has its schema, every schema is referred to, and ids are used once", () => {
  const document = openapi();
  const text = JSON.stringify(document);
  const referred = new Set(
    [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, n]) => n),
  );
  assert.deepEqual([...referred].sort(), Object.keys(document.components.schemas!).sort());
  const ids = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  assert.equal(new Set(ids).size, ids.length);
  const tags = document.tags.map(({ name }) => name);
  for (const methods of Object.values(document.paths)) {
    for (const { tags: used } of Object.values(methods)) assert.ok(tags.includes(used[0]!));
  }
});

test("the reference shows every operation and every schema, and loads nothing", async (t) => {
  const house = await startHouse(t);
  const page = await fetch(`${house.origin}/v1/docs`);
  assert.match(page.headers.get("content-type") ?? "", /^text\/html/);
  assert.match(page.headers.get("content-security-policy") ?? "", /default-src 'none'/);
  const text = await page.text();
  const document = openapi();
  for (const methods of Object.values(document.paths)) {
    for (const operation of Object.values(methods)) {
      if (operation["x-same-as"]) continue;
      assert.ok(text.includes(`id="${operation.operationId}"`), operation.operationId);
    }
  }
  for (const name of Object.keys(document.components.schemas!)) {
    assert.ok(text.includes(`id="schema-${name}"`), name);
  }
  const anchors = new Set([...text.matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id));
  const links = [...text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id!);
  assert.deepEqual(
    links.filter((id) => !anchors.has(id)),
    [],
  );
  assert.deepEqual(text.match(/(?:src|href)="(?!#|\/v1\/openapi\.json")/g), null);
});
