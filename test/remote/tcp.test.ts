// A machine of which only the engine is reached, by TLS: what is placed there runs, and what cannot be
// is said.

import assert from "node:assert/strict";
import { test } from "node:test";
import { clear } from "../../src/drivers/docker/docker-bench.testing.ts";
import {
  docker,
  ensureShellImage,
  OwnEngine,
  missing as skip,
} from "../../src/drivers/docker/engine.testing.ts";
import { freePort } from "../free-port.ts";
import { startHouse } from "../house.ts";
import { until } from "../pods/stage.ts";
import { visit } from "../proxy/client.ts";
import { makeCertificates } from "./certificates.ts";
import { DECLARED, machinesOf, podOn, QUICK } from "./rig.ts";

test("a Pod on an engine behind TLS, once containers can call back", { skip }, async (t) => {
  const alone = await startHouse(t, { drivers: "fake", protocol: QUICK });
  const publicUrl = "http://freehold.example.org";
  const env = { FREEHOLD_PUBLIC_URL: publicUrl };
  const house = await startHouse(t, { drivers: "fake", protocol: QUICK, env });
  const engine = new OwnEngine();
  const ids: string[] = [];
  t.after(async () => {
    for (const id of ids) clear((...args) => docker(engine.host, ...args), id);
    await engine.dispose();
  });
  const { client: tls, flags } = makeCertificates(engine.folder);
  const port = await freePort();
  await engine.start(["--host", `tcp://127.0.0.1:${port}`, ...flags]);
  const image = ensureShellImage(engine.host);
  const body = {
    address: `tcp://127.0.0.1:${port}`,
    tls,
    declare: DECLARED,
    publicIp: "127.0.0.1",
  };

  const mute = (await alone.call("POST", "/v1/machines", body)).json.id as string;
  const why = await until(machinesOf(alone).troubled, mute);
  assert.match(why, /^the machine cannot call back: .* set FREEHOLD_PUBLIC_URL/);

  const { json, text } = await house.call("POST", "/v1/machines", body);
  assert.ok(json.id, text);
  ids.push(mute, json.id);
  assert.ok(!text.includes("PRIVATE KEY"));
  await until(machinesOf(house).online, json.id);
  const shell = { dockerEntrypoint: ["bash", "-c"], ports: ["8888/http"], imageName: image };
  const script = "echo back to $RUNPOD_API_BASE_URL $FREEHOLD_URL; exec sleep 1000";
  const pod = await podOn(house, { ...shell, dockerStartCmd: [script] });
  await until(async () => {
    const log = await house.call("GET", `/v1/pods/${pod}/logs?type=container`);
    return log.text.includes("back to") || null;
  }, "");
  const page = await visit(house.origin, pod, 8_888);
  assert.deepEqual([page.status, page.json.code], [502, "pod_unreachable"]);
  assert.match(page.text, /add it by ssh:\/\/ instead/);

  const stranger = makeCertificates(`${engine.folder}/run`).client;
  const other = { ...body, address: `tcp://localhost:${port}`, tls: stranger };
  const refused = (await house.call("POST", "/v1/machines", other)).json.id as string;
  assert.match(await until(machinesOf(house).troubled, refused), /certificate|does not answer/);
});
