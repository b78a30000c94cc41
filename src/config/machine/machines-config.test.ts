import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { ConfigErrors } from "../../base/refusal.ts";
import { readConfig } from "../config.ts";

function read(t: TestContext, machines: unknown) {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-config-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const files = {
    key: "a key",
    "lab.yaml": "kind: Config\n",
    "ca.pem": "a",
    "cert.pem": "b",
    "key.pem": "c",
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  const text = typeof machines === "string" ? machines : JSON.stringify(machines);
  return readConfig({ machines: text }, {}, folder);
}

test("machines are configured with the files of their credentials, or with the text", (t) => {
  const key = "-----BEGIN OPENSSH PRIVATE KEY-----\nx";
  const { machines } = read(t, [
    { address: "ssh://me@gpu1", identity: "key", name: "big" },
    { address: "ssh://me@gpu2", identity: key, virtualGpus: { "NVIDIA L4": 1 } },
    { address: "tcp://gpu3:2376", tls: ".", declare: { diskInGb: 500 }, gpus: { "NVIDIA A40": 2 } },
  ]);
  const [byFile, byText, byTls] = machines;
  assert.deepEqual([byFile!.name, byFile!.secrets], ["big", { identity: "a key" }]);
  assert.deepEqual(byText!.secrets, { identity: key });
  assert.deepEqual(byText!.offer.simulatedGpus, { "NVIDIA L4": 1 });
  assert.deepEqual(byTls!.secrets, { tls: { ca: "a", cert: "b", key: "c" } });
  assert.deepEqual(byTls!.offer, {
    declared: { diskInGb: 500 },
    simulatedGpus: {},
    gpus: { "NVIDIA A40": 2 },
    publicIp: null,
  });
});

test("clusters are configured with the file or the text of a kubeconfig, or as the service's own", (t) => {
  const { machines, clusters } = read(t, [
    { kubeconfig: "lab.yaml", name: "lab", cluster: { callbackUrl: "http://10.0.0.1:8700" } },
    { kubeconfig: "{kind: Config}", context: "other" },
    { inCluster: true },
  ]);
  assert.deepEqual(
    clusters.map(({ credentials }) => credentials),
    [
      { kubeconfig: "kind: Config\n", context: null },
      { kubeconfig: "{kind: Config}", context: "other" },
      { inCluster: true },
    ],
  );
  assert.equal(clusters[0]!.name, "lab");
  assert.deepEqual(clusters[0]!.offer.cluster, { callbackUrl: "http://10.0.0.1:8700" });
  assert.deepEqual(machines, []);
});

const wrong: [setting: unknown, sentence: RegExp][] = [
  ["ssh://me@gpu1", /^FREEHOLD_MACHINES takes a JSON array such as /],
  [{ address: "ssh://me@gpu1" }, /^FREEHOLD_MACHINES takes a JSON array such as /],
  [[7], /the one at 0: it must be/],
  [[{}], /the one at 0: "address" is missing/],
  [[{ name: "x" }], /"x": "address" is missing/],
  [[{ kubeconfig: "nowhere", name: "x" }], /"x": ENOENT.*nowhere/],
  [[{ kubeconfig: "lab.yaml", address: "ssh://me@gpu1" }], /"address" and "kubeconfig" exclude/],
  [[{ kubeconfig: "lab.yaml", inCluster: true }], /"kubeconfig" and "inCluster" exclude/],
  [[{ inCluster: true, context: "lab" }], /"context" and "inCluster" exclude/],
  [[{ inCluster: true, cluster: { callbackUrl: "10.0.0.1" } }], /callbackUrl.*an origin such as/],
  [[{ inCluster: true, simulatedGpus: { "NVIDIA A4": 1 } }], /"NVIDIA A4"/],
  [[{ address: "gpu1" }], /"gpu1": "address" takes ssh:\/\/user@host/],
  [[{ address: "ssh://me@gpu1", identity: "nowhere" }], /"ssh:\/\/me@gpu1": ENOENT.*nowhere/],
  [[{ address: "ssh://me@gpu1", idenity: "key" }], /"idenity" is not known; there are address/],
  [[{ address: "ssh://me@gpu1", tls: "." }], /"tls" is for tcp:\/\//],
  [[{ address: "tcp://gpu1", declare: { diskInGb: 1 } }], /tcp:\/\/ takes "tls"/],
  [[{ address: "ssh://me@gpu1", simulatedGpus: { "NVIDIA A4": 1 } }], /"NVIDIA A4"/],
  [[{ address: "ssh://me@gpu1" }, { address: "ssh://me@gpu1" }], /is listed twice/],
];

for (const [setting, sentence] of wrong) {
  test(`machines ${JSON.stringify(setting)} are rejected with one sentence`, (t) => {
    assert.throws(
      () => read(t, setting),
      (error) => {
        assert.ok(error instanceof ConfigErrors);
        assert.doesNotMatch(error.message, /\n/);
        assert.match(error.message, sentence);
        return true;
      },
    );
  });
}
