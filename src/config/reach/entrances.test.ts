import assert from "node:assert/strict";
import { test } from "node:test";
import { readConfig } from "../config.ts";
import { entranceLines, reachedFromOutside } from "./entrances.ts";

const PORTS = { service: 8_700, proxy: 8_701, s3: 8_702, ssh: 8_703 };

const linesFor = (flags: Record<string, string>, ports = {}) =>
  entranceLines(readConfig(flags, {}, "/nowhere"), { ...PORTS, ...ports }).join("\n");

test("a service on loopback says nothing of other computers", () => {
  assert.equal(linesFor({}), "");
});

test("a service that only listens elsewhere names what others do not reach, and how to open it", () => {
  const lines = linesFor({ listen: "10.0.0.5:8700" }, { ssh: null });
  assert.match(lines, /^ {2}console +http:\/\/10\.0\.0\.5:8700\/$/m);
  assert.match(
    lines,
    /^ {2}Pods +not reachable: it listens on 127\.0\.0\.1; .*--proxy-listen 0\.0\.0\.0:8701$/m,
  );
  assert.match(
    lines,
    /^ {2}SSH +not reachable: it is off; open it with --ssh-listen 0\.0\.0\.0:8703$/m,
  );
  assert.match(lines, /^ {2}S3 +not reachable: .*--s3-listen 0\.0\.0\.0:8702$/m);
  assert.match(lines, /--public-url/);
  assert.match(lines, /freehold up --team/);
});

test("a team's service names every address by its public URL", () => {
  const lines = linesFor({ team: "on", publicUrl: "http://gpu.lan:8700", publicIp: "10.0.0.5" });
  assert.match(lines, /^ {2}console +http:\/\/gpu\.lan:8700\/$/m);
  assert.match(lines, /^ {2}Pods +http:\/\/gpu\.lan:8701\/<pod>\/<port>\/$/m);
  assert.match(lines, /^ {2}SSH +ssh <pod>@gpu\.lan -p 8703$/m);
  assert.match(lines, /^ {2}S3 +http:\/\/gpu\.lan:8702$/m);
  assert.match(lines, /^ {2}TCP ports 10\.0\.0\.5:20000-29999$/m);
  assert.doesNotMatch(lines, /localhost|127\.0\.0\.1|not reachable|--team/);
});

test("with a domain for Pods their pages have names", () => {
  const team = { team: "on", publicUrl: "https://gpu.example.org", publicIp: "10.0.0.5" };
  const lines = linesFor({ ...team, proxyDomain: "pods.example.org" });
  assert.match(lines, /^ {2}Pods +https:\/\/<pod>-<port>\.pods\.example\.org\/$/m);
});

test("the firewall must let the ACME server through", () => {
  const flags = { team: "on", tls: "auto", acmeTerms: "accepted" };
  const publicUrl = "https://gpu.example.org";
  const config = readConfig({ ...flags, publicUrl }, {}, "/nowhere");
  const none = { proxyOrigin: null, s3Origin: null, sshAddress: null };
  const { ports } = reachedFromOutside(config, { origin: "https://127.0.0.1:8700", ...none });
  assert.deepEqual(ports, [8_700, 80]);
});
