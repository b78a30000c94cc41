// Tests of the ranges, addresses and ports of clusters.

import assert from "node:assert/strict";
import { test } from "node:test";
import { addressIn, freeCidr, freePrimaryPort } from "./network.ts";

const used = (cidr: string | null, primaryPort = 29_500) => ({ cidr, primaryPort });

test("a cluster gets a range that no other one has, within 198.18.0.0/15", () => {
  const all: ReturnType<typeof used>[] = [];
  for (let cidr = freeCidr(all, "a"); cidr !== null; cidr = freeCidr(all, "b")) {
    assert.match(cidr, /^198\.1[89]\.\d+\.0\/24$/);
    all.push(used(cidr));
  }
  assert.equal(new Set(all.map(({ cidr }) => cidr)).size, 512);
  assert.equal(freeCidr(all.toSpliced(7, 1), "c"), all[7]?.cidr);
  assert.notEqual(freeCidr([], "a"), freeCidr([], "b"));
});

test("a network over a fabric has two ranges that no other cluster has", () => {
  const all = [used("198.18.0.0/24"), used("198.19.255.0/24")];
  for (let cidr = freeCidr(all, "a", 2); cidr !== null; cidr = freeCidr(all, "a", 2)) {
    assert.match(cidr, /^198\.1[89]\.\d*[02468]\.0\/23$/);
    all.push(used(cidr));
  }
  assert.equal(new Set(all.map(({ cidr }) => cidr)).size, 256);
  const one = freeCidr(all, "c");
  const last = [one, freeCidr([...all, used(one)], "c")];
  assert.deepEqual(last.sort(), ["198.18.1.0/24", "198.19.254.0/24"]);
});

test("every rank has an address of its own", () => {
  assert.equal(addressIn("198.18.3.0/24", 0), "198.18.3.2");
  assert.equal(addressIn("198.18.3.0/24", 249), "198.18.3.251");
});

test("clusters without a network of their own do not share a port", () => {
  assert.equal(freePrimaryPort([used("198.18.0.0/24")]), 29_500);
  assert.equal(freePrimaryPort([used(null), used(null, 29_502)]), 29_501);
  const all = Array.from({ length: 500 }, (_, n) => used(null, 29_500 + n));
  assert.equal(freePrimaryPort(all), null);
});
