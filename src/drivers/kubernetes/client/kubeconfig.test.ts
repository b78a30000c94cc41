// Tests of reading a kubeconfig: which are accepted, and the sentence for each that is not.

import assert from "node:assert/strict";
import { test } from "node:test";
import forge from "node-forge";
import { KubeconfigError, readKubeconfig } from "./kubeconfig.ts";

const NOW = Date.UTC(2026, 10, 1);
const base64 = (text: string) => Buffer.from(text).toString("base64");

interface Parts {
  cluster?: object;
  user?: object;
  config?: object;
}

function kubeconfig({ cluster, user, config }: Parts = {}): string {
  return JSON.stringify({
    kind: "Config",
    "current-context": "lab",
    contexts: [
      { name: "lab", context: { cluster: "c1", user: "u1" } },
      { name: "loose", context: { cluster: "c1" } },
    ],
    clusters: [{ name: "c1", cluster: { server: "https://10.0.0.1:6443/", ...cluster } }],
    users: [{ name: "u1", user: { token: "t0ken", ...user } }],
    ...config,
  });
}

test("a kubeconfig in YAML with a token is read", async () => {
  const text = `
kind: Config
current-context: lab
contexts: [{ name: lab, context: { cluster: c1, user: u1 } }]
clusters:
  - name: c1
    cluster:
      server: https://10.0.0.1:6443
      certificate-authority-data: ${base64("-----BEGIN CERTIFICATE-----")}
      tls-server-name: kubernetes
users: [{ name: u1, user: { token: t0ken } }]
`;
  assert.deepEqual(await readKubeconfig(text, null, NOW), {
    context: "lab",
    server: "https://10.0.0.1:6443",
    ca: "-----BEGIN CERTIFICATE-----",
    serverName: "kubernetes",
    certificate: null,
    token: "t0ken",
  });
});

test("a server behind a path keeps the path", async () => {
  const text = kubeconfig({ cluster: { server: "https://rancher.example/k8s/clusters/c-1" } });
  const { server } = await readKubeconfig(text, "lab", NOW);
  assert.equal(server, "https://rancher.example/k8s/clusters/c-1");
});

/** A self-signed certificate with its key, in PEM form. */
function certificateUntil(notAfter: Date): { cert: string; key: string } {
  const keys = forge.pki.rsa.generateKeyPair(1_024);
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = keys.publicKey;
  certificate.validity = { notBefore: new Date(0), notAfter };
  certificate.setSubject([{ name: "commonName", value: "freehold" }]);
  certificate.setIssuer(certificate.subject.attributes);
  certificate.sign(keys.privateKey, forge.md.sha256.create());
  return {
    cert: forge.pki.certificateToPem(certificate),
    key: forge.pki.privateKeyToPem(keys.privateKey),
  };
}

const EXPIRED = certificateUntil(new Date(Date.UTC(2020, 0, 1)));
const VALID = certificateUntil(new Date(Date.UTC(2040, 0, 1)));
const pair = (cert: string, key: string) => ({
  "client-certificate-data": base64(cert),
  "client-key-data": base64(key),
});

test("a client certificate is read with its key", async () => {
  const text = kubeconfig({ user: { token: "", ...pair(VALID.cert, VALID.key) } });
  const { certificate, token } = await readKubeconfig(text, null, NOW);
  assert.deepEqual({ certificate, token }, { certificate: VALID, token: null });
});

const refusals: Record<string, [text: string, message: RegExp, context?: string]> = {
  "text that is not YAML": ["a: [", /not valid YAML \(line/],
  "another kind of file": ["kind: Pod", /not a kubeconfig/],
  "an empty file": ["", /not a kubeconfig/],
  "an unknown context": [kubeconfig(), /no context "moon"; its contexts are: lab, loose/, "moon"],
  "no current context": [kubeconfig({ config: { "current-context": "" } }), /name a context/],
  "a context without a user": [kubeconfig(), /"loose" of the kubeconfig names no user/, "loose"],
  "a missing cluster": [kubeconfig({ config: { clusters: [] } }), /no cluster "c1".*: none/],
  "an address without TLS": [
    kubeconfig({ cluster: { server: "http://10.0.0.1:8080" } }),
    /`server`.*must be an https/,
  ],
  "an unverified server": [
    kubeconfig({ cluster: { "insecure-skip-tls-verify": true } }),
    /insecure-skip-tls-verify.*certificate-authority-data/,
  ],
  "a path to a certificate": [
    kubeconfig({ cluster: { "certificate-authority": "/etc/passwd" } }),
    /`certificate-authority`.*kubectl config view --flatten/,
  ],
  "a path to a token": [kubeconfig({ user: { tokenFile: "/etc/shadow" } }), /`tokenFile`/],
  "a command": [kubeconfig({ user: { exec: { command: "rm" } } }), /`exec`.*service account/],
  "no credentials": [kubeconfig({ user: { token: "" } }), /neither a token nor a client cert/],
  "a certificate without its key": [
    kubeconfig({ user: { "client-certificate-data": base64(EXPIRED.cert) } }),
    /"u1" of the kubeconfig has no `client-key-data`/,
  ],
  "a certificate that is not PEM": [
    kubeconfig({ user: pair("nonsense", EXPIRED.key) }),
    /`client-certificate-data`.*not a PEM/,
  ],
  "a certificate that is broken": [
    kubeconfig({ user: pair("-----BEGIN CERTIFICATE-----", EXPIRED.key) }),
    /certificate of the user "u1" of the kubeconfig cannot be read/,
  ],
  "the key of another certificate": [
    kubeconfig({ user: pair(VALID.cert, EXPIRED.key) }),
    /does not belong to its client key/,
  ],
  "an expired certificate": [
    kubeconfig({ user: pair(EXPIRED.cert, EXPIRED.key) }),
    /expired on 2020-01-01/,
  ],
};

for (const [name, [text, message, context]] of Object.entries(refusals)) {
  test(`a kubeconfig with ${name} is refused in a sentence`, async () => {
    await assert.rejects(
      readKubeconfig(text, context ?? null, NOW),
      (error) => error instanceof KubeconfigError && message.test(error.message),
    );
  });
}

test("a refusal repeats no credential", async () => {
  const text = `users: [{ user: { token: s3cret-t0ken } }\n  key: @`;
  await assert.rejects(
    readKubeconfig(text, null, NOW),
    (error: Error) => !error.message.includes("s3cret"),
  );
});
