// Tests that the page equals the recorded operations, and that no operation is missing from it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { FIDELITY } from "../docs/pages.ts";
import { documentedPath } from "../fixtures/routes.ts";
import { startService } from "../fixtures/service/service.ts";
import { type EngineDifference, engineDifferences } from "./differences.ts";
import { provenRoots } from "./graphql-roots.ts";
import { interfaces, WORKER_ROUTES } from "./operations.ts";
import { byEngine, fidelityPage } from "./page.ts";
import { type Proven, readProven } from "./witness.ts";

test("the committed page equals the one generated from the recorded operations", () => {
  assert.equal(readFileSync(FIDELITY, "utf8"), fidelityPage(), "run npm run generate");
});

test("recorded operations exist, and the worker routes are complete", async (t) => {
  const known = new Set(interfaces().flatMap(({ operations }) => operations));
  const routes = (await startService(t)).service.routes.map(
    ({ method, path }) => `${method} ${documentedPath(path)}`,
  );
  const proven = readProven().flatMap(({ tests }) => Object.values(tests).flat());
  assert.ok(proven.length > 100);
  const strange = proven.filter((name) => !known.has(name) && !routes.includes(name));
  assert.deepEqual(strange, []);
  assert.deepEqual(
    routes.filter((name) => name.includes("{workerId}") && name.includes("/v2/{")).sort(),
    [...WORKER_ROUTES].sort(),
  );
});

test("a client that is not proven alike with and without an engine has a reason on the page", () => {
  const isAlike = (each: Proven) => {
    const { withEngine, without } = byEngine(each);
    return withEngine.symmetricDifference(without).size === 0;
  };
  const [alike, unlike] = [
    readProven().filter(isAlike),
    readProven().filter((each) => !isAlike(each)),
  ];
  const explains = ({ clients }: EngineDifference, { client }: Proven) => client.includes(clients);
  const hasReason = (each: Proven) => engineDifferences.some((reason) => explains(reason, each));
  const names = (all: Proven[]) => all.map(({ client }) => client);
  assert.deepEqual(names(unlike.filter((each) => !hasReason(each))), [], "they have no reason");
  assert.deepEqual(names(alike.filter(hasReason)), [], "they have a reason, and need none");
  const unused = engineDifferences.filter(
    (reason) => !unlike.some((each) => explains(reason, each)),
  );
  assert.deepEqual(unused, []);
});

test("a root is recorded where it was answered, under any alias", () => {
  const body = (query: string, operationName?: string) => JSON.stringify({ query, operationName });
  const two = "query a { myself { id } other: gpuTypes { id } } mutation b { podStop { id } }";
  const answer =
    '{"data":{"myself":{"id":"x"},"other":null},"errors":[{"message":"no","path":["other"]}]}';
  assert.deepEqual(provenRoots(body(two, "a"), answer), ["query myself"]);
  assert.deepEqual(provenRoots(body(two, "b"), '{"data":{"podStop":null}}'), ["mutation podStop"]);
  assert.deepEqual(provenRoots(body("{ myself { id } }"), '{"errors":[{"message":"no"}]}'), []);
  assert.deepEqual(provenRoots("no JSON", "none"), []);
});
