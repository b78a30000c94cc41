// Tests of machines in the configuration: a start adds or updates them and never removes one.

import assert from "node:assert/strict";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import type { Machine } from "../../src/contract/rest-v1/machine/machine.ts";
import { remoteMachines } from "../../src/store/remote-machine/remote-machine.ts";
import { startService, type TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";

// Nothing listens there, and nothing needs to.
const [first, second] = ["ssh://me@127.0.0.1:1", "ssh://me@127.0.0.1:2"];

const remotes = async (service: TestService) => {
  const all = (await service.call("GET", "/v1/machines")).json as Machine[];
  const there = all.filter(({ address }) => address !== undefined);
  return new Map(there.map((each) => [each.address!, each]));
};

test("a machine of the configuration is added once and updated at each start", async (t) => {
  const dataFolder = mkdtempSync(path.join(tmpdir(), "freehold-test-"));
  const start = (...machines: object[]) =>
    startService(t, { dataFolder, env: { FREEHOLD_MACHINES: JSON.stringify(machines) } });
  const one = await start({ address: first, name: "one", identity: "-----BEGIN KEY-----" });
  const machine = (await remotes(one)).get(first)!;
  assert.equal(machine.name, "one");
  const [before] = await one.service.store.read(remoteMachines);
  assert.ok(!before!.secrets.includes("KEY"));
  await one.call("POST", "/v1/machines", { address: second, name: "by hand" });
  await one.stop();

  const same = await start({ address: first, name: "one", identity: "-----BEGIN KEY-----" });
  const [after] = await same.service.store.read(remoteMachines);
  // Nothing was sealed anew, so the replica that manages it does not restart.
  assert.equal(after!.secrets, before!.secrets);
  await same.stop();

  const two = await start({ address: first, name: "new" }, { address: second });
  const found = await remotes(two);
  assert.deepEqual([found.get(first)!.id, found.get(first)!.name], [machine.id, "new"]);
  assert.equal(found.get(second)!.name, undefined);
  await two.stop();

  const none = await start();
  assert.deepEqual([...(await remotes(none)).keys()].sort(), [first, second]);
});

test("clusters of the configuration are added, and each says why it cannot be used", async (t) => {
  const kubeconfig = JSON.stringify({
    kind: "Config",
    "current-context": "lab",
    contexts: [{ name: "lab", context: { cluster: "lab", user: "me" } }],
    clusters: [{ name: "lab", cluster: { server: "https://127.0.0.1:1" } }],
    users: [{ name: "me", user: { token: "s3cret-t0ken" } }],
  });
  const cluster = { callbackUrl: "http://10.0.0.1:8700" };
  const start = (...machines: object[]) =>
    startService(t, {
      env: { FREEHOLD_MACHINES: JSON.stringify(machines), KUBERNETES_SERVICE_HOST: "" },
    });
  const service = await start({ kubeconfig, cluster }, { inCluster: true, name: "own" });
  const stored = await service.service.store.read(remoteMachines);
  assert.ok(stored.every(({ secrets }) => !secrets.includes("s3cret")));
  const troubleOf = (address: string) =>
    until(async () => {
      const { name, trouble } = (await remotes(service)).get(address) ?? {};
      return trouble && `${name}: ${trouble}`;
    });
  assert.match(await troubleOf("https://127.0.0.1:1"), /^lab: .*does not respond: ECONNREFUSED/);
  const own = await troubleOf("https://kubernetes.default.svc");
  assert.match(own, /^own: Freehold does not run in a Kubernetes cluster/);

  await assert.rejects(
    start({ kubeconfig }, { kubeconfig, name: "again" }, { kubeconfig, context: "moon" }),
    /"again": https:\/\/127.0.0.1:1 is listed twice.*a cluster: .*no context "moon"/s,
  );
});
