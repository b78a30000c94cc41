// A public TCP port of a Pod on a cluster: reached at any node, while the Pod runs.

import assert from "node:assert/strict";
import type { TestCluster } from "../fixtures/kubernetes/cluster.ts";
import type { TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { createPod, objectsOf } from "./rig.ts";

const SERVER = `require("net").createServer((socket) => socket.end("port " + process.env.RUNPOD_TCP_PORT_7000)).listen(7000)`;

export async function publicPortsStory(service: TestService, cluster: TestCluster): Promise<void> {
  const id = await createPod(service, {
    ports: ["7000/tcp"],
    dockerEntrypoint: ["node"],
    dockerStartCmd: ["-e", SERVER],
  });
  const { publicIp, portMappings, machineId } = await until(async () => {
    const { json } = await service.call("GET", `/v1/pods/${id}`);
    return json.publicIp ? json : null;
  });
  const port = portMappings["7000"];
  assert.ok(port >= 30_000 && port <= 32_767, `${port}`);
  assert.match(publicIp, /^172\.30\.0\.1[12]$/);
  const machine = await service.call("GET", "/v1/machines");
  const { name } = machine.json.find((each: { id: string }) => each.id === machineId);
  const other = name === "n1" ? "n2" : "n1";
  const read = `exec 3<>/dev/tcp/${publicIp}/${port}; cat <&3`;
  const answer = () => cluster.node(other, "run", "bash", "-c", read).catch(() => "");
  await until(async () => (await answer()) === `port ${port}`);
  const { namespace } = objectsOf(cluster, id)[0]!.metadata;
  const objects = () =>
    cluster.kubectl("get", "services,networkpolicies", "-n", namespace!, "-o", "name");
  assert.equal(objects().split("\n").length, 3, objects());
  await service.call("DELETE", `/v1/pods/${id}`);
  await until(() => objects() === "networkpolicy.networking.k8s.io/freehold");
}
