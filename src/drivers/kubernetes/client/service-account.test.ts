// Tests of the access of a service account, against a server that answers with the token it was sent.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import forge from "node-forge";
import { VirtualClock } from "../../../base/clock.ts";
import { DriverUnavailable } from "../../driver.ts";
import { ApiClient } from "./api-client.ts";
import { ServiceAccountError, serviceAccountAccess } from "./service-account.ts";

const ENV = { KUBERNETES_SERVICE_HOST: "127.0.0.1", KUBERNETES_SERVICE_PORT: "1" };

/** A folder as the kubelet mounts it, with the given files. */
function accountFolder(t: TestContext, files: Record<string, string>): string {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-account-"));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  return folder;
}

/** The environment of a Pod whose API server answers with the authorization of each request. */
async function echoServer(t: TestContext, tls: { cert: string; key: string }) {
  const server = createServer(tls, ({ headers }, response) => {
    response.end(JSON.stringify(headers.authorization));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { ...ENV, KUBERNETES_SERVICE_PORT: String(port) };
}

/** For 127.0.0.1, in PEM form. */
function selfSigned(): { cert: string; key: string } {
  const keys = forge.pki.rsa.generateKeyPair(2_048);
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = keys.publicKey;
  certificate.validity = { notBefore: new Date(0), notAfter: new Date(Date.UTC(2049, 0, 1)) };
  certificate.setSubject([{ name: "commonName", value: "kubernetes" }]);
  certificate.setIssuer(certificate.subject.attributes);
  certificate.setExtensions([{ name: "subjectAltName", altNames: [{ type: 7, ip: "127.0.0.1" }] }]);
  certificate.sign(keys.privateKey, forge.md.sha256.create());
  return {
    cert: forge.pki.certificateToPem(certificate),
    key: forge.pki.privateKeyToPem(keys.privateKey),
  };
}

test("a replaced token is used within a minute", async (t) => {
  const tls = selfSigned();
  const folder = accountFolder(t, { token: "first\n", "ca.crt": tls.cert });
  const clock = new VirtualClock(0);
  const env = await echoServer(t, tls);
  const client = new ApiClient(serviceAccountAccess(env, clock, folder), clock);
  t.after(() => client.close());
  assert.equal(await client.get("/version"), "Bearer first");
  writeFileSync(path.join(folder, "token"), "second");
  await clock.advance(60_000);
  assert.equal(await client.get("/version"), "Bearer second");
  rmSync(path.join(folder, "token"));
  await clock.advance(60_000);
  await assert.rejects(client.get("/version"), DriverUnavailable);
});

test("an API server at an IPv6 address gets brackets", (t) => {
  const folder = accountFolder(t, { token: "t", "ca.crt": "c" });
  const env = { ...ENV, KUBERNETES_SERVICE_HOST: "fd00::1" };
  assert.equal(
    serviceAccountAccess(env, new VirtualClock(0), folder).server,
    "https://[fd00::1]:1",
  );
});

const refusals: Record<string, [env: object, files: Record<string, string>, message: RegExp]> = {
  "outside of a cluster": [{}, {}, /does not run in a Kubernetes cluster/],
  "without a token": [ENV, { "ca.crt": "c" }, /automountServiceAccountToken.*ENOENT.*token/],
  "without a certificate authority": [ENV, { token: "t" }, /ENOENT.*ca\.crt/],
};

for (const [name, [env, files, message]] of Object.entries(refusals)) {
  test(`${name}, the access is refused in a sentence`, (t) => {
    const folder = accountFolder(t, files);
    assert.throws(
      () => serviceAccountAccess({ ...env }, new VirtualClock(0), folder),
      (error) => error instanceof ServiceAccountError && message.test(error.message),
    );
  });
}
