// A cluster over two engines of one fabric: its members reach each other over a network that goes with them.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Machine } from "../../src/contract/rest-v1/machine/machine.ts";
import { docker, ensureShellImage, skipReason } from "../fixtures/docker/engine.ts";
import { LinkedEngines } from "../fixtures/docker/linked-engines.ts";
import { startService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { DECLARED, QUICK } from "../remote/rig.ts";

const GPU = "NVIDIA A40";
const skip = skipReason || (process.getuid?.() !== 0 && "only root can start engines");

/** bash cannot listen, so a member tries a closed port: "refused" comes from the other member's own kernel. */
const REACH = `
other=\${MASTER_ADDR%.*}.$((3 - NODE_RANK))
while :; do
  said=$( (exec 3<>/dev/tcp/$other/29500) 2>&1)
  case "$said" in *refused*) break ;; esac
  sleep 0.2
done
echo "rank $NODE_RANK reached $other"
while read -r name _; do [ "$name" = "$GLOO_SOCKET_IFNAME:" ] && echo "has $name"; done < /proc/net/dev
exec sleep 1000`;

test("a cluster spans two machines of a fabric and leaves nothing on them", { skip }, async (t) => {
  const env = { FREEHOLD_PUBLIC_URL: "http://freehold.example.org", FREEHOLD_VIRTUAL_GPUS: "{}" };
  const service = await startService(t, { drivers: "fake", protocol: QUICK, env });
  const linked = new LinkedEngines();
  t.after(() => linked.dispose());
  await linked.start();
  const machines = async () => (await service.call("GET", "/v1/machines")).json as Machine[];
  const add = async (index: number, fabric: object) => {
    const { url: address, tls, host } = linked.engines[index]!;
    ensureShellImage(host);
    const declare = { ...DECLARED, ...fabric };
    const body = { address, tls, declare, virtualGpus: { [GPU]: 1 }, publicIp: "127.0.0.1" };
    const { json, text } = await service.call("POST", "/v1/machines", body);
    assert.ok(json.id, text);
    await until(async () =>
      (await machines()).find(({ id }) => id === json.id)?.online ? 1 : null,
    );
    return json.id as string;
  };
  const fabricOf = (index: number) => ({
    fabric: { name: "rack-1", address: linked.engines[index]!.privateAddress },
  });
  const cluster = () =>
    service.call("POST", "/v2/clusters", {
      name: "c",
      type: "TRAINING",
      compute: { gpuTypeId: GPU, gpuCountPerPod: 1, podCount: 2 },
      image: "freehold-test-shell:1",
      entrypoint: ["bash", "-c", REACH],
      disk: 1,
    });
  const first = await add(0, fabricOf(0));
  const refused = await cluster();
  assert.equal(refused.status, 400);
  assert.match(refused.text, /there is room for 1\. .*machines of one fabric/);

  const second = await add(1, fabricOf(1));
  await until(async () => {
    const joined = (await machines()).filter(({ fabric }) => fabric?.joined);
    return joined.length === 2 ? joined : null;
  });
  const created = await cluster();
  assert.equal(created.status, 201, created.text);
  const path = `/v2/clusters/${created.json.id}`;
  const { pods } = (await service.call("GET", `${path}/pods`)).json;
  const logOf = async (id: string) =>
    (await service.call("GET", `/v1/pods/${id}/logs?type=container`)).text as string;
  for (const [rank, pod] of pods.entries()) {
    const other = pods[1 - rank].cluster.ip;
    await until(async () =>
      (await logOf(pod.id)).includes(`rank ${rank} reached ${other}`) ? 1 : null,
    );
    await until(async () => ((await logOf(pod.id)).includes("has eth1") ? 1 : null));
  }
  const placed = await Promise.all(
    pods.map(
      async ({ id }: { id: string }) =>
        (await service.call("GET", `/v1/pods/${id}`)).json.machineId,
    ),
  );
  assert.deepEqual(placed.toSorted(), [first, second].toSorted());

  assert.equal((await service.call("DELETE", path)).status, 204);
  const left = () =>
    linked.engines.flatMap(({ host }) => [
      ...docker(host, "ps", "--all", "--quiet").split("\n"),
      ...docker(host, "network", "ls", "--quiet", "--filter", "name=freehold-cluster").split("\n"),
    ]);
  await until(() => (left().every((line) => line === "") ? 1 : null));
});
