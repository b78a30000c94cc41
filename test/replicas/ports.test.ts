// Pods' http ports where the Pod is on another replica's machine: whoever is asked passes it on.

import assert from "node:assert/strict";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { test } from "node:test";
import { TUNNEL, tunnelPath } from "../../src/flows/replica/tunnel.ts";
import { podsOf, until } from "../pods/stage.ts";
import { missing } from "../postgres/database.ts";
import { visit } from "../proxy/client.ts";
import { startPair } from "./pair.ts";

const POD = { driver: "fake", imageName: "i", computeType: "CPU", ports: ["8888/http"] };

test("either replica leads to a Pod, and neither once it is stopped", {
  skip: missing,
}, async (t) => {
  const { house, a, b } = await startPair(t, { drivers: "fake" });
  const origins = house.replicas.map(({ origin }) => origin);
  const { json } = await a.call("POST", "/v1/pods", POD);
  const { id } = json;
  await until(podsOf(b).reached, id);
  const big = "x".repeat(60_000);
  for (const origin of origins) {
    await until(async () => {
      return (await visit(origin, id, 8_888)).status === 200 ? true : null;
    }, id);
    const asked = { method: "POST", path: "/p?q", headers: { "x-a": "1" }, body: big };
    const { json } = await visit(origin, id, 8_888, asked);
    assert.partialDeepStrictEqual(json, { podId: id, method: "POST", path: "/p?q", body: big });
    const refused = await visit(origin, id, 80);
    assert.deepEqual([refused.status, refused.json.code], [404, "port_not_found"]);
  }
  await b.call("POST", `/v1/pods/${id}/stop`);
  for (const origin of origins) {
    await until(async () => {
      const { status, json } = await visit(origin, id, 8_888);
      return status === 502 && json.message.endsWith("the Pod is stopped.") ? true : null;
    }, id);
  }
});

test("a tunnel opens for a replica, for what it was passed for, and for nobody else", {
  skip: missing,
}, async (t) => {
  const { house, a } = await startPair(t, { drivers: "fake" });
  const { origin, cliKey } = house.replicas[0]!;
  const { json } = await a.call("POST", "/v1/pods", POD);
  const path = tunnelPath(
    { id: json.id, driver: "fake", machine: house.house.replica.machine },
    8_888,
  );
  const passes = [
    "",
    `Bearer ${cliKey}`,
    "Replica 1.00",
    `Replica ${Date.now()}.${"0".repeat(64)}`,
  ];
  for (const authorization of passes) {
    const headers = { connection: "Upgrade", upgrade: TUNNEL, authorization };
    const { hostname, port } = new URL(origin);
    const asked = request({ hostname, port, path, headers }).end();
    const [answer] = (await once(asked, "response")) as [IncomingMessage];
    assert.equal(answer.statusCode, 401, authorization);
    answer.resume();
  }
});
