// Tests of Pods' HTTP ports on another replica's machine: any replica proxies to them.

import assert from "node:assert/strict";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { test } from "node:test";
import { TUNNEL, tunnelPath } from "../../src/flows/replica/tunnel.ts";
import { until } from "../fixtures/until.ts";
import { podsOf } from "../pods/fixture.ts";
import { missing } from "../postgres/database.ts";
import { visit } from "../proxy/client.ts";
import { startPair } from "./pair.ts";

const POD = { driver: "simulated", imageName: "i", computeType: "CPU", ports: ["8888/http"] };

test("either replica proxies to a Pod, and neither once it is stopped", {
  skip: missing,
}, async (t) => {
  const { service, a, b } = await startPair(t, { drivers: "simulated" });
  const origins = service.replicas.map(({ origin }) => origin);
  const { json } = await a.call("POST", "/v1/pods", POD);
  const { id } = json;
  await until(podsOf(b).reached, id);
  const big = "x".repeat(60_000);
  for (const origin of origins) {
    await until(async () => {
      return (await visit(origin, id, 8_888)).status === 200 ? true : null;
    }, id);
    const pageRequest = { method: "POST", path: "/p?q", headers: { "x-a": "1" }, body: big };
    const { json } = await visit(origin, id, 8_888, pageRequest);
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

test("a tunnel is only for a replica, and only for its target", {
  skip: missing,
}, async (t) => {
  const { service, a } = await startPair(t, { drivers: "simulated" });
  const { origin, cliKey } = service.replicas[0]!;
  const { json } = await a.call("POST", "/v1/pods", POD);
  const path = tunnelPath(
    { id: json.id, driver: "simulated", machine: service.service.replica.machine },
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
    const upgrade = request({ hostname, port, path, headers }).end();
    const [answer] = (await once(upgrade, "response")) as [IncomingMessage];
    assert.equal(answer.statusCode, 401, authorization);
    answer.resume();
  }
});
