// What clients accept of the local authority.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createPrivateKey } from "node:crypto";
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import tls from "node:tls";
import forge from "node-forge";
import { systemClock, VirtualClock } from "../base/clock.ts";
import { openAuthority } from "./authority.ts";

const names = ["api.example.org"];

function folderFor(t: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-authority-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Connects to a server that shows the authority's certificate for `host`; returns null or the error. */
async function handshake(t: TestContext, host: string): Promise<string | null> {
  const authority = openAuthority(folderFor(t), names, systemClock);
  const server = tls.createServer({
    SNICallback: (name, done) => done(null, authority.contextFor(name)),
  });
  server.on("tlsClientError", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const options = { host: "127.0.0.1", port, servername: host, ca: authority.certificate };
  return new Promise((resolve) => {
    const socket = tls.connect(options, () => {
      socket.destroy();
      resolve(null);
    });
    socket.on("error", ({ message }) => resolve(message));
  });
}

test("a listed name and the names below it are accepted", async (t) => {
  assert.equal(await handshake(t, "api.example.org"), null);
  assert.equal(await handshake(t, "abc123.api.example.org"), null);
});

test("any other name is refused by the client, although the key could sign it", async (t) => {
  assert.match((await handshake(t, "example.org"))!, /permitted subtree violation/);
  assert.match((await handshake(t, "api.example.org.example.net"))!, /permitted subtree violation/);
});

/** A certificate that a thief of the key signs, as PEM. */
function forged(folder: string, altName: { type: 2; value: string } | { type: 7; ip: string }) {
  const pem = readFileSync(path.join(folder, "ca.pem"), "utf8");
  const issuer = forge.pki.certificateFromPem(pem);
  const key = createPrivateKey(pem).export({ type: "pkcs1", format: "pem" }) as string;
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = issuer.publicKey;
  certificate.serialNumber = "01";
  certificate.validity.notAfter = new Date(Date.now() + 60_000);
  certificate.setSubject([{ name: "commonName", value: "forged" }]);
  certificate.setIssuer(issuer.subject.attributes);
  certificate.setExtensions([{ name: "subjectAltName", altNames: [altName] }]);
  certificate.sign(forge.pki.privateKeyFromPem(key), forge.md.sha256.create());
  return forge.pki.certificateToPem(certificate);
}

const NO_OPENSSL = spawnSync("openssl", ["version"]).status !== 0 && "it needs openssl";

test("openssl refuses what a thief of the key signs", { skip: NO_OPENSSL }, (t) => {
  const folder = folderFor(t);
  const { certificate } = openAuthority(folder, names, systemClock);
  const authority = path.join(folder, "authority.pem");
  writeFileSync(authority, certificate);
  const verify = (altName: Parameters<typeof forged>[1]) => {
    const input = forged(folder, altName);
    const options = { input, encoding: "utf8" as const };
    const { status, stdout, stderr } = spawnSync(
      "openssl",
      ["verify", "-CAfile", authority],
      options,
    );
    return status === 0 ? "accepted" : stdout + stderr;
  };
  assert.equal(verify({ type: 2, value: "x.api.example.org" }), "accepted");
  assert.match(verify({ type: 2, value: "example.net" }), /permitted subtree violation/);
  for (const ip of ["127.0.0.1", "10.1.2.3", "::1"]) {
    assert.match(verify({ type: 7, ip }), /excluded subtree violation/, ip);
  }
});

test("the key's file is readable by its owner only, whatever mode it had", (t) => {
  const folder = folderFor(t);
  const file = path.join(folder, "ca.pem");
  openAuthority(folder, names, systemClock);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  chmodSync(file, 0o644);
  openAuthority(folder, names, systemClock);
  assert.equal(statSync(file).mode & 0o777, 0o600);
});

test("a host's certificate is renewed in a process that runs for long", async (t) => {
  const clock = new VirtualClock();
  const { contextFor } = openAuthority(folderFor(t), names, clock);
  const first = contextFor("api.example.org");
  await clock.advance(14 * 24 * 60 * 60 * 1000);
  assert.equal(contextFor("api.example.org"), first);
  await clock.advance(2 * 24 * 60 * 60 * 1000);
  assert.notEqual(contextFor("api.example.org"), first);
});

test("an authority is kept for the same names and replaced for others", (t) => {
  const folder = folderFor(t);
  const open = (listed: string[]) => openAuthority(folder, listed, systemClock).certificate;
  const first = open(names);
  assert.equal(open(names), first);
  assert.notEqual(open([...names, "b.example.org"]), first);
});

test("an authority is replaced before it ends", async (t) => {
  const folder = folderFor(t);
  const clock = new VirtualClock();
  const first = openAuthority(folder, names, clock).certificate;
  await clock.advance(9 * 365 * 24 * 60 * 60 * 1000);
  assert.equal(openAuthority(folder, names, clock).certificate, first);
  await clock.advance(364 * 24 * 60 * 60 * 1000);
  assert.notEqual(openAuthority(folder, names, clock).certificate, first);
});
