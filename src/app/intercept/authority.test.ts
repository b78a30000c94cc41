// What clients accept of the local authority.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import tls from "node:tls";
import { systemClock, VirtualClock } from "../../base/clock.ts";
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
