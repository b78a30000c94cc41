// Tests of the Helm chart without a cluster: what it renders for several values, and which values it refuses.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { suite, test } from "node:test";
import { load, loadAll } from "js-yaml";
import { readConfig } from "../../src/config/config.ts";
import { CHART, helm, helmSkipReason } from "../fixtures/kubernetes/helm.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever was rendered
type Rendered = any;

const KEY = "5e".repeat(32);
const POSTGRES = {
  store: "postgresql",
  replicas: 3,
  secret: {
    values: { FREEHOLD_DATABASE_URL: "postgres://me:it@db/freehold", FREEHOLD_SECRET_KEY: KEY },
  },
};

/** The objects by kind. */
function render(values: object = {}): Map<string, Rendered> {
  const flags = Object.entries(values).flatMap(([name, value]) => [
    "--set-json",
    `${name}=${JSON.stringify(value)}`,
  ]);
  const text = helm("template", "cloud", CHART, "--namespace", "lab", ...flags);
  const objects = (loadAll(text) as Rendered[]).filter(Boolean);
  return new Map(objects.map((each) => [each.kind, each]));
}

const containerOf = (objects: Map<string, Rendered>) =>
  objects.get("StatefulSet").spec.template.spec.containers[0];

function envOf(objects: Map<string, Rendered>): Record<string, string> {
  const { env } = containerOf(objects);
  return Object.fromEntries(env.map(({ name, value }: Rendered) => [name, value]));
}

suite("the Helm chart", { skip: helmSkipReason }, () => {
  test("it has no lint, and the version of the product", () => {
    helm("lint", "--strict", CHART);
    const { version } = JSON.parse(readFileSync(path.join(CHART, "../../package.json"), "utf8"));
    const chart = load(readFileSync(path.join(CHART, "Chart.yaml"), "utf8")) as Rendered;
    assert.deepEqual([chart.version, chart.appVersion], [version, version]);
  });

  test("by default it is one replica on a volume that manages its own cluster", () => {
    const objects = render();
    assert.deepEqual([...objects.keys()].sort(), [
      "ClusterRole",
      "ClusterRoleBinding",
      "Service",
      "ServiceAccount",
      "StatefulSet",
    ]);
    const { spec } = objects.get("StatefulSet");
    assert.equal(spec.replicas, 1);
    assert.equal(spec.volumeClaimTemplates[0].spec.resources.requests.storage, "10Gi");
    assert.equal(spec.template.spec.enableServiceLinks, false);
    const [subject] = objects.get("ClusterRoleBinding").subjects;
    assert.deepEqual(subject, { kind: "ServiceAccount", name: "cloud-freehold", namespace: "lab" });
    assert.equal(spec.template.spec.serviceAccountName, "cloud-freehold");
    assert.equal(containerOf(objects).envFrom, undefined);
    const config = readConfig({}, envOf(objects), "/");
    assert.equal(config.publicUrl, "http://cloud-freehold.lab.svc:8700");
    assert.deepEqual(config.machines, []);
    const [cluster] = config.clusters;
    assert.deepEqual(cluster!.credentials, { inCluster: true });
    assert.deepEqual(cluster!.offer.cluster, { callbackUrl: config.publicUrl });
  });

  test("with PostgreSQL it has any number of replicas, and a budget for disruptions", () => {
    const objects = render(POSTGRES);
    const { spec } = objects.get("StatefulSet");
    assert.deepEqual([spec.replicas, spec.podManagementPolicy], [3, "Parallel"]);
    assert.deepEqual(spec.template.spec.volumes, [{ name: "tmp", emptyDir: {} }]);
    assert.equal(spec.volumeClaimTemplates[0].metadata.name, "data", "machine ids survive");
    assert.equal(objects.get("PodDisruptionBudget").spec.maxUnavailable, 1);
    assert.deepEqual(objects.get("Secret").stringData, POSTGRES.secret.values);
    assert.deepEqual(containerOf(objects).envFrom, [{ secretRef: { name: "cloud-freehold" } }]);
    const volatile = render({ ...POSTGRES, persistence: { enabled: false } }).get(
      "StatefulSet",
    ).spec;
    assert.equal(volatile.volumeClaimTemplates, undefined);
    assert.deepEqual(volatile.template.spec.volumes, [
      { name: "tmp", emptyDir: {} },
      { name: "data", emptyDir: {} },
    ]);
    const existing = render({ store: "postgresql", replicas: 2, secret: { existing: "mine" } });
    assert.ok(!existing.has("Secret"));
    assert.deepEqual(containerOf(existing).envFrom, [{ secretRef: { name: "mine" } }]);
  });

  test("an ingress has the names of Freehold, its Pods and its endpoints", () => {
    const objects = render({
      ingress: {
        enabled: true,
        className: "nginx",
        host: "cloud.example.org",
        proxyDomain: "pods.example.org",
        balancerDomain: "lb.example.org",
        tls: [{ secretName: "tls", hosts: ["cloud.example.org"] }],
      },
      ssh: { enabled: true, port: 22 },
      settings: { FREEHOLD_LOG_LEVEL: "info", FREEHOLD_CONNECTIONS_PER_ADDRESS: 5_000 },
    });
    const { rules, ingressClassName } = objects.get("Ingress").spec;
    assert.equal(ingressClassName, "nginx");
    const hosts = ["cloud.example.org", "*.pods.example.org", "*.lb.example.org"];
    assert.deepEqual(
      rules.map(({ host }: Rendered) => host),
      hosts,
    );
    const config = readConfig({}, envOf(objects), "/");
    assert.equal(config.publicUrl, "https://cloud.example.org");
    assert.deepEqual(
      [config.proxyDomain, config.balancerDomain, config.logLevel],
      ["pods.example.org", "lb.example.org", "info"],
    );
    assert.equal(config.sshListen?.port, 8703);
    assert.deepEqual(config.clusters[0]!.offer.cluster, {
      callbackUrl: "http://cloud-freehold.lab.svc:8700",
    });
    const ports = objects.get("Service").spec.ports.map(({ port }: Rendered) => port);
    assert.deepEqual(ports, [8700, 22]);
  });

  test("clusters, metrics and an own service account are values", () => {
    const objects = render({
      cluster: {
        callbackUrl: "http://10.0.0.1:8700",
        declare: { dataCenterId: "EU-RO-1" },
        settings: { networkVolumes: { storageClass: "nfs" } },
      },
      machines: [{ address: "ssh://me@gpu1" }],
      serviceAccount: { create: false, name: "mine" },
      rbac: { create: false },
      serviceMonitor: { enabled: true, labels: { team: "x" }, apiKey: { secret: "key" } },
    });
    const kinds = ["Service", "ServiceMonitor", "StatefulSet"];
    assert.deepEqual([...objects.keys()].sort(), kinds);
    const config = readConfig({}, envOf(objects), "/");
    assert.equal(config.machines[0]!.address, "ssh://me@gpu1");
    const { offer } = config.clusters[0]!;
    assert.deepEqual(offer.declared, { dataCenterId: "EU-RO-1" });
    const networkVolumes = { storageClass: "nfs" };
    assert.deepEqual(offer.cluster, { callbackUrl: "http://10.0.0.1:8700", networkVolumes });
    const [endpoint] = objects.get("ServiceMonitor").spec.endpoints;
    assert.deepEqual(endpoint.authorization.credentials, { name: "key", key: "key" });
    const alone = render({ cluster: { add: false } });
    assert.deepEqual(readConfig({}, envOf(alone), "/").clusters, []);
  });

  const refusals: [name: string, values: object, sentence: RegExp][] = [
    ["two replicas on SQLite", { replicas: 2 }, /SQLite has one replica/],
    [
      "one claim for several replicas",
      { ...POSTGRES, persistence: { existingClaim: "mine" } },
      /several replicas cannot share one data folder/,
    ],
    [
      "SQLite without a volume",
      { persistence: { enabled: false } },
      /SQLite keeps its data in a volume/,
    ],
    [
      "a claim beside no volumes",
      { ...POSTGRES, replicas: 1, persistence: { enabled: false, existingClaim: "mine" } },
      /existingClaim: it is not used/,
    ],
    ["PostgreSQL without its URL", { store: "postgresql" }, /FREEHOLD_DATABASE_URL is required/],
    ["an ingress without a host", { ingress: { enabled: true } }, /ingress.host is required/],
    [
      "two sources of secrets",
      { secret: { existing: "mine", values: { FREEHOLD_API_KEY: "fh_12345678" } } },
      /exclude each other/,
    ],
    [
      "metrics without a key",
      { serviceMonitor: { enabled: true } },
      /serviceMonitor.apiKey.secret is required/,
    ],
    ["an unknown value", { replica: 2 }, /'replica' not allowed/],
    ["a secret key that is none", { secret: { values: { FREEHOLD_SECRET_KEY: "x" } } }, /pattern/],
    ["a setting that has a value", { settings: { FREEHOLD_DATA: "/x" } }, /FREEHOLD_DATA/],
    ["an unknown store", { store: "mysql" }, /one of 'sqlite', 'postgresql'/],
  ];

  for (const [name, values, sentence] of refusals) {
    test(`${name}: refused in a sentence`, () => {
      assert.throws(() => render(values), sentence);
    });
  }
});
