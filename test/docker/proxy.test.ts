// Pods' ports in containers of a real engine: a page through the proxy, a WebSocket, public ports; and a
// Pod that would like to have what opens the service.

import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { connect, createServer } from "node:net";
import path from "node:path";
import { test } from "node:test";
import { missing } from "../../src/drivers/docker/engine.testing.ts";
import { ensureNodeImage } from "../../src/drivers/docker/node-image.testing.ts";
import { type PodJson, podsOf, until } from "../pods/stage.ts";
import { visit } from "../proxy/client.ts";
import { textOf } from "../proxy/stage.ts";
import { type ContainerHouse, startContainerHouse } from "./container-house.ts";

const machine = JSON.stringify({ vcpus: 16, memoryInGb: 64, diskInGb: 500 });
const options = { env: { FREEHOLD_MACHINE: machine }, protocol: { endGraceMs: 300 } };
const script = readFileSync(path.join(import.meta.dirname, "web-pod.cjs"), "utf8");

async function webPod(house: ContainerHouse): Promise<string> {
  const { json, text } = await house.call("POST", "/v1/pods", {
    computeType: "CPU",
    volumeInGb: 1,
    containerDiskInGb: 1,
    imageName: ensureNodeImage(house.host),
    dockerStartCmd: ["node", "-e", script],
    ports: ["8888/http", "9999/http", "7000/tcp", "70000/tcp"],
  });
  assert.ok(json.id, text);
  await until(podsOf(house).reached, json.id);
  await answering(house, json.id);
  return json.id;
}

const answering = (house: ContainerHouse, id: string) =>
  until(async () => ((await visit(house.origin, id, 8_888)).status === 200 ? true : null), id);

test("a page through the proxy; stopped, unreachable at once; started, its file still there", {
  skip: missing,
}, async (t) => {
  const house = await startContainerHouse(t, options);
  const id = await webPod(house);
  assert.match((await visit(house.origin, id, 8_888)).text, /A Pod's own page/);
  const put = { method: "PUT", path: "/file", body: "kept".repeat(50_000) };
  assert.equal((await visit(house.origin, id, 8_888, put)).status, 200);
  const deaf = await visit(house.origin, id, 9_999);
  assert.equal(deaf.status, 502);
  assert.match(deaf.json.message, /: nothing listens on it\.$/);

  const { host } = new URL(house.origin.replace("127.0.0.1", `${id}-8888.proxy.localhost`));
  const asked = request(`${house.origin}/slow`, { headers: { host } }).end();
  const [slow] = (await once(asked, "response")) as [IncomingMessage];
  const cut = assert.rejects(textOf(slow), /aborted/);
  await house.call("POST", `/v1/pods/${id}/stop`);
  const stopped = await visit(house.origin, id, 8_888);
  assert.deepEqual([stopped.status, stopped.json.code], [502, "pod_unreachable"]);
  await cut;

  await until(podsOf(house).unreached, id);
  await house.call("POST", `/v1/pods/${id}/start`);
  await answering(house, id);
  const file = await visit(house.origin, id, 8_888, { path: "/file" });
  assert.equal(file.text, put.body);
  await house.call("DELETE", `/v1/pods/${id}`);
  assert.equal((await visit(house.origin, id, 8_888)).status, 404);
});

test("a WebSocket echoes, by way of the second listener", { skip: missing }, async (t) => {
  const house = await startContainerHouse(t, options);
  const id = await webPod(house);
  const socket = new WebSocket(`${house.proxyOrigin!.replace("http", "ws")}/${id}/8888/chat`);
  await once(socket, "open");
  for (const text of ["one", "zwei", "😀"]) {
    socket.send(text);
    const [{ data }] = (await once(socket, "message")) as [MessageEvent];
    assert.equal(data, text);
  }
  const closed = once(socket, "close");
  await house.call("POST", `/v1/pods/${id}/stop`);
  await closed;
});

async function heardAt(port: number): Promise<string | null> {
  const socket = connect(port, "127.0.0.1").setEncoding("utf8");
  try {
    const [text] = await once(socket, "data");
    return text;
  } catch {
    return null;
  } finally {
    socket.destroy();
  }
}

test("public ports lead in, are told to the container, and may be the same inside", {
  skip: missing,
}, async (t) => {
  const house = await startContainerHouse(t, options);
  const pods = podsOf(house);
  const id = await webPod(house);
  const { portMappings: ports } = await pods.get(id);
  assert.deepEqual(Object.keys(ports).sort(), ["7000", "70000"]);
  const env = JSON.parse((await visit(house.origin, id, 8_888, { path: "/env" })).text);
  assert.partialDeepStrictEqual(env, {
    RUNPOD_PUBLIC_IP: "127.0.0.1",
    RUNPOD_TCP_PORT_7000: String(ports["7000"]),
    RUNPOD_TCP_PORT_70000: String(ports["70000"]),
  });
  assert.equal(await until(() => heardAt(ports["7000"]!), id), "port 7000");
  assert.equal(await until(() => heardAt(ports["70000"]!), id), `port ${ports["70000"]}`);
  await house.call("POST", `/v1/pods/${id}/stop`);
  await until(pods.unreached, id);
  assert.equal(await heardAt(ports["7000"]!), null);
  await house.call("POST", `/v1/pods/${id}/start`);
  const again: PodJson = await until(pods.reached, id);
  assert.deepEqual(again.portMappings, ports);
  await house.call("POST", `/v1/pods/${id}/reset`);
  const after = await until(async () => {
    const pod = await pods.reached(id);
    return pod && pod.lastStartedAt! > again.lastStartedAt! && pod.portMappings["7000"]
      ? pod
      : null;
  }, id);
  assert.notEqual(after.portMappings["7000"], ports["7000"]);
});

test("a port that somebody else has is not insisted on", { skip: missing }, async (t) => {
  const first = 31_000 + (process.pid % 1_000);
  const stranger = createServer().listen(first, "127.0.0.1");
  t.after(() => stranger.close());
  await once(stranger, "listening");
  const env = { ...options.env, FREEHOLD_PORTS: `${first}-${first + 1}` };
  const house = await startContainerHouse(t, { ...options, env });
  const { json } = await house.call("POST", "/v1/pods", {
    computeType: "CPU",
    volumeInGb: 0,
    containerDiskInGb: 1,
    imageName: house.shellImage,
    dockerStartCmd: ["sleep", "1000"],
    ports: ["7000/tcp"],
  });
  const pod = await until(podsOf(house).reached, json.id);
  assert.deepEqual(pod.portMappings, { 7000: first + 1 });
});

test("a hostile Pod gets nothing that opens the service, and sets nothing there", {
  skip: missing,
}, async (t) => {
  const house = await startContainerHouse(t, options);
  const id = await webPod(house);
  const headers = {
    authorization: `Bearer ${house.key}`,
    cookie: "freehold_session=secret; theirs=1",
    referer: `http://127.0.0.1/graphql?api_key=${house.key}`,
  };
  const evil = await visit(house.origin, id, 8_888, { path: "/evil", headers });
  assert.ok(!evil.text.includes(house.key) && !evil.text.includes("secret"), evil.text);
  assert.match(evil.text, /theirs=1/);
  assert.deepEqual(evil.headers["set-cookie"], ["mine=1; Path=/"]);
  assert.equal(evil.headers["clear-site-data"], undefined);
  const sandboxed = await fetch(`${house.proxyOrigin}/${id}/8888/evil`);
  assert.match(sandboxed.headers.get("content-security-policy") ?? "", /^sandbox/);
  assert.deepEqual(sandboxed.headers.getSetCookie(), [`mine=1; Path=/${id}/8888/`]);
  await sandboxed.text();
  // What its page could have a visitor's browser do.
  const { host } = new URL(house.origin.replace("127.0.0.1", `${id}-8888.proxy.localhost`));
  for (const method of ["GET", "POST", "DELETE", "OPTIONS"]) {
    const address = method === "DELETE" ? `/v1/pods/${id}` : "/v1/pods";
    const answer = await house.call(method, address, undefined, { origin: `http://${host}` });
    assert.ok([403, 405].includes(answer.status), `${method} ${answer.text}`);
    assert.equal(answer.headers.get("access-control-allow-origin"), null);
  }
  assert.equal((await podsOf(house).get(id)).desiredStatus, "RUNNING");
});
