// A test of an engine over TLS: Pods run there, and unsupported ones are refused with a reason.

import assert from "node:assert/strict";
import { test } from "node:test";
import { removeMachine } from "../fixtures/docker/docker-driver-harness.ts";
import {
  docker,
  ensureShellImage,
  skipReason as skip,
  TestEngine,
} from "../fixtures/docker/engine.ts";
import { freePort } from "../fixtures/free-port.ts";
import { dropPackets, whyNoPacketLoss } from "../fixtures/packet-loss.ts";
import { startService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { visit } from "../proxy/client.ts";
import { makeCertificates } from "./certificates.ts";
import { DECLARED, machinesOf, podOn, QUICK } from "./rig.ts";

test("a Pod runs on an engine behind TLS once containers can call back, through a lost network too", {
  skip: skip || whyNoPacketLoss(),
}, async (t) => {
  const alone = await startService(t, { drivers: "simulated", protocol: QUICK });
  const publicUrl = "http://freehold.example.org";
  const env = { FREEHOLD_PUBLIC_URL: publicUrl };
  const service = await startService(t, { drivers: "simulated", protocol: QUICK, env });
  const engine = new TestEngine();
  const ids: string[] = [];
  t.after(async () => {
    for (const id of ids) removeMachine((...args) => docker(engine.host, ...args), id);
    await engine.dispose();
  });
  const { client: tls, flags } = makeCertificates(engine.folder);
  const port = await freePort();
  await engine.start(["--host", `tcp://127.0.0.1:${port}`, ...flags]);
  const engineDocker = (...args: string[]) => docker(engine.host, ...args);
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

  const { json, text } = await service.call("POST", "/v1/machines", body);
  assert.ok(json.id, text);
  ids.push(mute, json.id);
  assert.ok(!text.includes("PRIVATE KEY"));
  await until(machinesOf(service).online, json.id);
  const shell = { dockerEntrypoint: ["bash", "-c"], ports: ["8888/http"], imageName: image };
  const script = "echo back to $RUNPOD_API_BASE_URL $FREEHOLD_URL; exec sleep 1000";
  const pod = await podOn(service, { ...shell, dockerStartCmd: [script] });
  await until(async () => {
    const log = await service.call("GET", `/v1/pods/${pod}/logs?type=container`);
    return log.text.includes("back to") || null;
  }, "");
  const page = await visit(service.origin, pod, 8_888);
  assert.deepEqual([page.status, page.json.code], [502, "pod_unreachable"]);
  assert.match(page.text, /add the machine by ssh:\/\/ instead/);

  const containers = () => engineDocker("ps", "--quiet", "--no-trunc");
  const before = containers();
  const reconnect = dropPackets(t, { address: "127.0.0.1", port });
  assert.match(await until(machinesOf(service).troubled, json.id), /no response in time/);
  await until(async () => (await machinesOf(service).get(json.id))?.online === false || null, "");
  reconnect();
  await until(machinesOf(service).online, json.id);
  assert.equal(containers(), before);

  const otherAccount = makeCertificates(`${engine.folder}/run`).client;
  const other = { ...body, address: `tcp://localhost:${port}`, tls: otherAccount };
  const refused = (await service.call("POST", "/v1/machines", other)).json.id as string;
  assert.match(await until(machinesOf(service).troubled, refused), /certificate|does not answer/);
});
