import assert from "node:assert/strict";
import { test } from "node:test";
import { normalizeUrl } from "./normalize-url.ts";

const rows: [url: string, normalized: string][] = [
  ["/v2/e/run", "/v2/e/run"],
  ["//v2//e/run", "/v2/e/run"],
  ["/v2/e/run?next=http://x", "/v2/e/run?next=http://x"],
  ["/v2/e/job-take/w&job_in_progress=0", "/v2/e/job-take/w?job_in_progress=0"],
  ["/v2/e/job-take/w?gpu=X&job_in_progress=1", "/v2/e/job-take/w?gpu=X&job_in_progress=1"],
  ["/v2/e/job-take/w?&job_in_progress=1", "/v2/e/job-take/w?&job_in_progress=1"],
  ["/v2/e/job-done/w/j&isStream=true", "/v2/e/job-done/w/j?isStream=true"],
  ["/v2/e/job-take/w&a=1?b=2", "/v2/e/job-take/w?a=1&b=2"],
  ["/v1/templates/a&b", "/v1/templates/a&b"],
  ["http://host:8700/v2/e/run?a=http://x/", "/v2/e/run?a=http://x/"],
  ["HTTPS://host//v1/pods", "/v1/pods"],
  ["http://host", "/"],
  ["http://host?a=1", "/?a=1"],
  ["*", "*"],
];

for (const [url, normalized] of rows) {
  test(`${url} becomes ${normalized}`, () => assert.equal(normalizeUrl(url), normalized));
}
