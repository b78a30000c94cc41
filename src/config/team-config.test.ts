import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigErrors } from "../base/refusal.ts";
import { type Config, readConfig } from "./config.ts";

const teamWith = (flags: Record<string, string>) =>
  readConfig({ team: "on", publicUrl: "http://10.0.0.5:8700", ...flags }, {}, "/nowhere");

const listeners = ({ host, port, proxyListen, s3Listen, sshListen }: Config) =>
  [{ host, port }, proxyListen, s3Listen, sshListen].map(
    (each) => each && `${each.host}:${each.port}`,
  );

test("the preset opens every listener, on the ports after the service's", () => {
  const config = teamWith({});
  const expected = [8_700, 8_701, 8_702, 8_703].map((port) => `0.0.0.0:${port}`);
  assert.deepEqual(listeners(config), expected);
  assert.equal(config.publicIp, "10.0.0.5");
  // A rule of a firewall names the port, so it must not change where another program has it.
  assert.ok([config.proxyListen, config.s3Listen, config.sshListen].every((each) => each?.chosen));
});

test("a public URL with a port of its own decides the service's", () => {
  assert.equal(teamWith({ publicUrl: "http://gpu.lan:9000" }).port, 9_000);
  for (const publicUrl of ["https://cloud.example.org", "http://gpu.lan", "https://gpu.lan:8443"]) {
    assert.equal(teamWith({ publicUrl }).port, 8_700, publicUrl);
  }
});

test("settings that are given win over the preset's", () => {
  const config = teamWith({
    listen: "10.0.0.5:9000",
    sshListen: "off",
    s3Listen: "127.0.0.1:9999",
    publicIp: "10.9.9.9",
  });
  assert.deepEqual(listeners(config), ["10.0.0.5:9000", "10.0.0.5:9001", "127.0.0.1:9999", null]);
  assert.equal(config.publicIp, "10.9.9.9");
});

test("behind a reverse proxy on the same machine nothing else opens", () => {
  const config = teamWith({ listen: "127.0.0.1:8700", publicUrl: "https://cloud.example.org" });
  const expected = [8_700, 8_701, 8_702, 8_703].map((port) => `127.0.0.1:${port}`);
  assert.deepEqual(listeners(config), expected);
});

test("the preset keeps what is safe on loopback only off", () => {
  const { isLocal, drivers, faults, clock } = teamWith({});
  assert.deepEqual([isLocal, drivers, faults, clock], [false, ["docker"], null, "system"]);
  assert.throws(() => teamWith({ clock: "virtual" }), ConfigErrors);
});

const refused: [flags: Record<string, string>, says: RegExp][] = [
  [{ listen: "0.0.0.0:0" }, /needs one that links can name/],
  [{ publicUrl: "http://localhost:8700" }, /leads each of your team to their own computer/],
  [{ publicUrl: "http://127.0.0.1:8700" }, /leads each of your team to their own computer/],
  [{ publicUrl: "", listen: "127.0.0.1:8700" }, /only this machine reaches/],
  [{ team: "yes" }, /takes one of on, off/],
];
for (const [flags, says] of refused) {
  test(`${JSON.stringify(flags)} is refused for a team`, () => {
    assert.throws(() => teamWith(flags), says);
  });
}

test("a certificate from an ACME server needs the public URL", () => {
  const flags = { team: "on", tls: "auto", acmeTerms: "accepted" };
  assert.throws(() => readConfig(flags, {}, "/nowhere"), /set FREEHOLD_PUBLIC_URL to the https/);
});
