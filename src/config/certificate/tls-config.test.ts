// Tests of certificates in files: what is refused, in one sentence each.

import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { certificateFolder, makeCertificate } from "../../../test/fixtures/service/certificate.ts";
import { covers, readCertificate } from "./certificate-files.ts";
import { overTls, problemOf, readTls } from "./tls-config.ts";

const good = makeCertificate({ names: ["gpu.lan", "*.pods.lan", "10.0.0.5"] });

test("a pair that belongs together is read, with its names", (t) => {
  const files = certificateFolder(t, good);
  const { names, endsAt } = readCertificate(files, Date.now());
  assert.deepEqual(names, ["gpu.lan", "*.pods.lan", "10.0.0.5"]);
  assert.ok(endsAt > Date.now());
});

test("files that cannot be served are refused with one sentence", (t) => {
  const files = certificateFolder(t, good);
  const other = makeCertificate();
  const cases: [Partial<typeof good>, RegExp][] = [
    [{ key: other.key }, /key\.pem is not the key of .*cert\.pem/],
    [makeCertificate({ days: -1 }), /cert\.pem expired at \d{4}-.*; renew it$/],
    [{ cert: "nonsense", key: good.key }, /cert\.pem holds no certificate in PEM form/],
    [{ cert: good.cert, key: "nonsense" }, /key\.pem holds no private key in PEM form/],
    [
      { key: "-----BEGIN ENCRYPTED PRIVATE KEY-----" },
      /protected by a passphrase; store it without/,
    ],
    [makeCertificate({ names: [] }), /has no subject alternative name/],
  ];
  for (const [pair, sentence] of cases) {
    files.write(pair);
    assert.match(problemOf(files) ?? "none", sentence);
  }
  assert.match(
    problemOf({ ...files, key: "/nowhere.pem" }) ?? "",
    /nowhere\.pem cannot be read: there is no/,
  );
});

test("a key that cannot be read is named", (t) => {
  const files = certificateFolder(t, good);
  const folder = path.dirname(files.key);
  assert.match(problemOf({ ...files, key: folder }) ?? "", /cannot be read: EISDIR/);
});

test("settings that contradict each other are reported", (t) => {
  const { setting } = certificateFolder(t, good);
  const errorsOf = (tls: string | null, hsts: string | null, url: string | null = null) => {
    const errors: string[] = [];
    readTls({ tls, hsts }, url, { cwd: "/", dataFolder: "/data" }, errors);
    return errors.join("\n");
  };
  assert.equal(errorsOf(setting, "365", "https://gpu.lan"), "");
  assert.match(errorsOf(setting, null, "http://gpu.lan"), /with FREEHOLD_TLS it takes https:\/\//);
  assert.match(errorsOf("cert.pem", null), /takes local, auto, or two files: cert\.pem,key\.pem/);
  assert.match(errorsOf(null, "30"), /FREEHOLD_HSTS is set, but FREEHOLD_TLS is not/);
  assert.match(errorsOf(setting, "forever"), /takes off, or 1 to 730 days/);
});

test("links have a name that the certificate is valid for", (t) => {
  const files = certificateFolder(t, good);
  assert.equal(overTls(files, "http://10.0.0.5:8700"), "https://10.0.0.5:8700");
  assert.equal(overTls(files, "http://10.0.0.6:8700"), "https://gpu.lan:8700");
  assert.equal(overTls(null, "http://10.0.0.6:8700"), "http://10.0.0.6:8700");
  const { names } = readCertificate(files, Date.now());
  assert.ok(covers(names, "a-80.pods.lan"));
  assert.ok(!covers(names, "pods.lan"));
  assert.ok(!covers(names, "a.b.pods.lan"));
});

test("an IPv6 address of the certificate matches each of its forms", (t) => {
  const files = certificateFolder(t, makeCertificate({ names: ["fd00::5", "gpu.lan"] }));
  const { names } = readCertificate(files, Date.now());
  assert.deepEqual(names, ["fd00::5", "gpu.lan"]);
  for (const host of ["[fd00::5]", "fd00::5", "FD00:0:0:0:0:0:0:5", "fd00::0005"]) {
    assert.ok(covers(names, host), host);
  }
  assert.ok(!covers(names, "[fd00::6]"));
  assert.equal(overTls(files, "http://[fd00::5]:8700"), "https://[fd00::5]:8700");
  assert.equal(overTls(files, "http://[fd00::6]:8700"), "https://[fd00::5]:8700");
});
