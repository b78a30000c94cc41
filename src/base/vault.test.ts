// Tests of sealing and opening secrets.

import assert from "node:assert/strict";
import { test } from "node:test";
import { UnsealError, Vault } from "./vault.ts";

const key = "ab".repeat(32);
const vault = new Vault(key);

test("any text that is sealed opens again, and no two sealed texts are equal", () => {
  for (const text of ["", "p", "é 😀 \u0000", "x".repeat(100_000)]) {
    const sealed = vault.seal(text, "secret:1");
    assert.match(sealed, /^v1\.[A-Za-z0-9+/]+=*$/);
    assert.equal(vault.open(sealed, "secret:1"), text);
    assert.notEqual(vault.seal(text, "secret:1"), sealed);
  }
});

test("a sealed text does not open with another owner, another key or a changed byte", () => {
  const sealed = vault.seal("hush", "secret:1");
  const bytes = Buffer.from(sealed.slice(3), "base64");
  const changed = Array.from(bytes, (_, n) => {
    const other = Buffer.from(bytes);
    other[n]! ^= 1;
    return `v1.${other.toString("base64")}`;
  });
  const cut = `v1.${bytes.subarray(0, 20).toString("base64")}`;
  for (const wrong of [...changed, cut, `v2.${sealed.slice(3)}`, "hush", ""]) {
    assert.throws(() => vault.open(wrong, "secret:1"), UnsealError);
  }
  assert.throws(() => vault.open(sealed, "secret:2"), UnsealError);
  assert.throws(() => new Vault("cd".repeat(32)).open(sealed, "secret:1"), UnsealError);
});
