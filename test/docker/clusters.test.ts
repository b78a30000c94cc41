// Clusters in containers of a real engine: the members find each other by their variables alone, and
// their network goes with them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { skipReason } from "../fixtures/docker/engine.ts";
import { ensureNodeImage } from "../fixtures/docker/node-image.ts";
import { until } from "../fixtures/until.ts";
import { startContainerService } from "./container-service.ts";

const GPU = "NVIDIA A40";
const machine = JSON.stringify({ vcpus: 16, memoryInGb: 64, diskInGb: 500 });
const env = { FREEHOLD_MACHINE: machine, FREEHOLD_GPUS: JSON.stringify({ [GPU]: 4 }) };

/**
 * The rendezvous of a training run: rank 0 listens at MASTER_ADDR and MASTER_PORT until every rank has
 * said its number and its own address, and tells all of them.
 */
const RENDEZVOUS = `
const net = require("node:net");
const { MASTER_ADDR, MASTER_PORT, RANK, WORLD_SIZE, NODE_ADDR } = process.env;
const socket = (name) => require("node:os").networkInterfaces()[name]?.[0]?.address;
if (socket(process.env.GLOO_SOCKET_IFNAME) !== NODE_ADDR) console.log("wrong interface");
const join = () => {
  const to = net.connect({ host: MASTER_ADDR, port: MASTER_PORT, localAddress: NODE_ADDR });
  to.on("error", () => setTimeout(join, 100));
  to.on("connect", () => to.write(RANK + "\\n"));
  to.on("data", (all) => console.log("world " + all));
};
if (RANK === "0") {
  const joined = new Map();
  net.createServer((from) => from.once("data", (rank) => {
    joined.set(String(rank).trim() + "@" + from.remoteAddress, from);
    if (joined.size < Number(WORLD_SIZE)) return;
    for (const each of joined.values()) each.write([...joined.keys()].sort().join());
  }).on("error", () => {})).listen(Number(MASTER_PORT), MASTER_ADDR);
}
join();
setInterval(() => {}, 1000);`;

test("members of a cluster meet over its network, which is removed with them", {
  skip: skipReason,
}, async (t) => {
  const service = await startContainerService(t, { env, protocol: { endGraceMs: 200 } });
  const image = ensureNodeImage(service.host);
  const create = async (podCount: number) => {
    const { status, json, text } = await service.call("POST", "/v2/clusters", {
      name: "c",
      type: "TRAINING",
      compute: { gpuTypeId: GPU, gpuCountPerPod: 1, podCount },
      image,
      entrypoint: ["node", "-e", RENDEZVOUS],
      disk: 1,
    });
    assert.equal(status, 201, text);
    const { json: members } = await service.call("GET", `/v2/clusters/${json.id}/pods`);
    return { ...json, members: members.pods };
  };
  const world = (pod: { id: string }) =>
    until(async () => {
      const { json: lines } = await service.call("GET", `/v1/pods/${pod.id}/logs`);
      const texts = lines.map((line: { text: string }) => line.text) as string[];
      assert.ok(!texts.includes("wrong interface"));
      return texts.find((text) => text.startsWith("world ")) ?? null;
    });
  const clusters = [await create(2), await create(2)];
  for (const { members } of clusters) {
    const all = members.map(
      (pod: { cluster: { rank: number; ip: string } }) => `${pod.cluster.rank}@${pod.cluster.ip}`,
    );
    const expected = `world ${all.sort().join()}`;
    for (const pod of members) assert.equal((await world(pod)).replaceAll("::ffff:", ""), expected);
  }
  const { machine: own } = service.service.replica;
  const networks = () =>
    service
      .docker("network", "ls", "--format", "{{.Name}}", "--filter", `label=freehold.machine=${own}`)
      .split("\n")
      .filter((name) => name.includes("-cluster-"));
  assert.equal(networks().length, 2);
  assert.notEqual(clusters[0].network.cidr, clusters[1].network.cidr);
  for (const { id } of clusters) await service.call("DELETE", `/v2/clusters/${id}`);
  await until(() => (networks().length === 0 && service.containers().length === 0 ? true : null));
});
