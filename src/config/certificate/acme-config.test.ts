// Tests of the settings of `--tls auto`: what is missing, in one sentence each.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type AcmePlace, readAcme } from "./acme-config.ts";

const place: AcmePlace = {
  host: "0.0.0.0",
  publicUrl: "https://gpu.example.org:8700",
  proxyDomain: null,
  balancerDomain: null,
};
const auto = { tls: "auto", acmeTerms: "accepted" };

function read(values: Record<string, string>, where: Partial<AcmePlace> = {}) {
  const errors: string[] = [];
  const { acme } = readAcme((name) => values[name] ?? null, { ...place, ...where }, errors);
  return { acme, text: errors.join("\n") };
}

test("the names of the certificate are the hosts of the addresses", () => {
  const { acme, text } = read({ ...auto, s3Url: "https://s3.example.org" });
  assert.equal(text, "");
  assert.deepEqual(acme?.names, ["gpu.example.org", "s3.example.org"]);
  assert.deepEqual(acme?.listen, { host: "0.0.0.0", port: 80 });
  assert.equal(read({ tls: "local" }).acme, null);
});

test("what cannot work is refused with a sentence", () => {
  assert.match(read({ tls: "auto" }).text, /set FREEHOLD_ACME_TERMS to accepted/);
  assert.match(
    read(auto, { publicUrl: null }).text,
    /set FREEHOLD_PUBLIC_URL to the https address/,
  );
  assert.match(read(auto, { proxyDomain: "pods.lan" }).text, /no certificate for \*\.pods\.lan/);
  const http = { ...auto, acmeDirectory: "http://ca.lan/directory" };
  assert.match(read(http).text, /FREEHOLD_ACME_DIRECTORY .* takes an https:\/\/ URL/);
  assert.match(read({ ...auto, acmeEmail: "ada" }).text, /FREEHOLD_ACME_EMAIL .* one address/);
  assert.match(read({ acmeEmail: "a@b.org" }).text, /FREEHOLD_TLS is not auto/);
});
