// A cluster over two engines of one fabric: its members reach each other over a network that goes with them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { docker, ensureShellImage, skipReason } from "../fixtures/docker/engine.ts";
import { FABRIC_GPU, startFabricService } from "../fixtures/docker/fabric-service.ts";
import { until } from "../fixtures/until.ts";

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
  const { service, linked, addMachine, joined, logOf } = await startFabricService(
    t,
    ensureShellImage,
  );
  const cluster = () =>
    service.call("POST", "/v2/clusters", {
      name: "c",
      type: "TRAINING",
      compute: { gpuTypeId: FABRIC_GPU, gpuCountPerPod: 1, podCount: 2 },
      image: "freehold-test-shell:1",
      entrypoint: ["bash", "-c", REACH],
      disk: 1,
    });
  const first = await addMachine(0);
  const refused = await cluster();
  assert.equal(refused.status, 400);
  assert.match(refused.text, /there is room for 1\. .*machines of one fabric/);

  const second = await addMachine(1);
  await joined();
  const created = await cluster();
  assert.equal(created.status, 201, created.text);
  const path = `/v2/clusters/${created.json.id}`;
  const { pods } = (await service.call("GET", `${path}/pods`)).json;
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
