// Which addresses a connection may use when it looks up a receiver's name.

import assert from "node:assert/strict";
import type { LookupAddress } from "node:dns";
import { test } from "node:test";
import type { Resolve } from "../../base/name-servers.ts";
import { lookupFor } from "./reach.ts";

const rule = { anywhere: false, allow: [] };
const answers =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));

function lookUp(resolve: Resolve, all: boolean): Promise<{ error: Error | null; found: unknown }> {
  const lookup = lookupFor("mixed.example.org", rule, resolve);
  return new Promise((done) => {
    lookup("mixed.example.org", { all }, (error, address: string | LookupAddress[], family) =>
      done({ error, found: all ? address : [address, family] }),
    );
  });
}

const mixed = answers("10.0.0.1", "::ffff:127.0.0.1", "8.8.8.8", "2606:4700:4700::1111");

test("only the permitted addresses of a name are used", async () => {
  const { found } = await lookUp(mixed, true);
  assert.deepEqual(found, [
    { address: "8.8.8.8", family: 4 },
    { address: "2606:4700:4700::1111", family: 6 },
  ]);
  assert.deepEqual((await lookUp(mixed, false)).found, ["8.8.8.8", 4]);
});

test("if no address is permitted, the error names the address", async () => {
  const { error } = await lookUp(answers("127.0.0.1", "10.0.0.1"), true);
  assert.match(error!.message, /^mixed\.example\.org is at 127\.0\.0\.1, a loopback address;/);
});

test("a name server's failure is passed on", async () => {
  const fault = Object.assign(new Error("queryA ENOTFOUND"), { code: "ENOTFOUND" });
  assert.equal((await lookUp(() => Promise.reject(fault), true)).error, fault);
});

test("a name is resolved again for every connection", async () => {
  let lookUps = 0;
  const rebinding: Resolve = async () => [
    { address: lookUps++ === 0 ? "8.8.8.8" : "127.0.0.1", family: 4 },
  ];
  assert.deepEqual((await lookUp(rebinding, false)).found, ["8.8.8.8", 4]);
  assert.match((await lookUp(rebinding, false)).error!.message, /loopback/);
});
