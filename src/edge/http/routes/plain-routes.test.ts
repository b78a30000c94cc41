import assert from "node:assert/strict";
import { test } from "node:test";
import type { InboundRequest } from "../plain/exchange.ts";
import { PlainRoutes, type PlainRoutesDeps } from "./plain-routes.ts";
import { RouteScope } from "./route-scope.ts";

const scope = new RouteScope({ bodies: {} as RouteScope["bodies"] });
const options = { config: {} };
const handler = async () => ({});
scope.post("/v2/:endpointId/run", options, handler);
scope.get("/v2/:endpointId/status/:jobId", options, handler);
scope.post("/v2/:endpointId/job-done/:workerId/:jobId", options, handler);
const routes = new PlainRoutes({
  passesHooks: () => true,
  nextId: () => "id",
} as unknown as PlainRoutesDeps);
routes.add(scope);

const BEGUN = new Error("a response was begun");

function takes(method: string, url: string, headers: InboundRequest["headers"] = {}): boolean {
  try {
    return routes.handle({ method, url, headers } as InboundRequest, () => {
      throw BEGUN;
    });
  } catch (error) {
    assert.equal(error, BEGUN);
    return true;
  }
}

test("takes the requests that match a route", () => {
  assert.ok(takes("POST", "/v2/e/run"));
  assert.ok(takes("POST", "//v2/e/run?a=1", { "content-type": "application/json" }));
  assert.ok(takes("GET", "/v2/e/status/j"));
  assert.ok(takes("POST", "/v2/e/job-done/w/j&isStream=false"));
  assert.ok(takes("POST", "/v2/flash/run"));
});

const left: Record<string, Parameters<typeof takes>> = {
  "another method": ["GET", "/v2/e/run"],
  "another operation": ["POST", "/v2/e/stop"],
  "a missing parameter": ["GET", "/v2/e/status"],
  "an empty parameter": ["GET", "/v2/e/status/"],
  "too many parameters": ["GET", "/v2/e/status/j/k"],
  "an encoded parameter": ["GET", "/v2/e/status/a%2fb"],
  "a long parameter": ["GET", `/v2/e/status/${"j".repeat(101)}`],
  "a path of REST v2": ["GET", "/v2/pods/status/j"],
  "another interface": ["POST", "/v1/e/run"],
  "a page's request": ["POST", "/v2/e/run", { origin: "http://localhost" }],
  "a browser's request": ["POST", "/v2/e/run", { cookie: "a=1" }],
  "an invalid media type": ["POST", "/v2/e/run", { "content-type": "json" }],
};

for (const [name, request] of Object.entries(left)) {
  test(`leaves to Node's server: ${name}`, () => assert.equal(takes(...request), false));
}
