// Tests of Pods' ports on a real engine: pages and WebSockets through the proxy, public ports, and a
// hostile Pod.

import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { connect, createServer } from "node:net";
import path from "node:path";
import { test } from "node:test";
import { skipReason } from "../fixtures/docker/engine.ts";
import { ensureNodeImage } from "../fixtures/docker/node-image.ts";
import { until } from "../fixtures/until.ts";
import { type PodJson, podsOf } from "../pods/fixture.ts";
import { visit } from "../proxy/client.ts";
import { textOf } from "../proxy/fixture.ts";
import { type ContainerService, startContainerService } from "./container-service.ts";

const machine = JSON.stringify({ vcpus: 16, memoryInGb: 64, diskInGb: 500 });
const options = { env: { FREEHOLD_MACHINE: machine }, protocol: { endGraceMs: 300 } };
const script = readFileSync(path.join(import.meta.dirname, "web-pod.cjs"), "utf8");

async function webPod(service: ContainerService): Promise<string> {
  const { json, text } = await service.call("POST", "/v1/pods", {
    computeType: "CPU",
    volumeInGb: 1,
    containerDiskInGb: 1,
    imageName: ensureNodeImage(service.host),
    dockerStartCmd: ["node", "-e", script],
    ports: ["8888/http", "9999/http", "7000/tcp", "70000/tcp"],
  });
  assert.ok(json.id, text);
  await until(podsOf(service).reached, json.id);
  await answering(service, json.id);
  return json.id;
}

const answering = (service: ContainerService, id: string) =>
  until(async () => ((await visit(service.origin, id, 8_888)).status === 200 ? true : null), id);

test("a page is served through the proxy, unreachable after a stop, and keeps its volume after a start", {
  skip: skipReason,
}, async (t) => {
  const service = await startContainerService(t, options);
  const id = await webPod(service);
  assert.match((await visit(service.origin, id, 8_888)).text, /A Pod's own page/);
  const put = { method: "PUT", path: "/file", body: "kept".repeat(50_000) };
  assert.equal((await visit(service.origin, id, 8_888, put)).status, 200);
  const deaf = await visit(service.origin, id, 9_999);
  assert.equal(deaf.status, 502);
  assert.match(deaf.json.message, /: nothing listens on it\.$/);

  const { host } = new URL(service.origin.replace("127.0.0.1", `${id}-8888.proxy.localhost`));
  const slowRequest = request(`${service.origin}/slow`, { headers: { host } }).end();
  const [slow] = (await once(slowRequest, "response")) as [IncomingMessage];
  const cut = assert.rejects(textOf(slow), /aborted/);
  await service.call("POST", `/v1/pods/${id}/stop`);
  const stopped = await visit(service.origin, id, 8_888);
  assert.deepEqual([stopped.status, stopped.json.code], [502, "pod_unreachable"]);
  await cut;

  await until(podsOf(service).unreached, id);
  await service.call("POST", `/v1/pods/${id}/start`);
  await answering(service, id);
  const file = await visit(service.origin, id, 8_888, { path: "/file" });
  assert.equal(file.text, put.body);
  await service.call("DELETE", `/v1/pods/${id}`);
  assert.equal((await visit(service.origin, id, 8_888)).status, 404);
});

test("a WebSocket works through the second listener", { skip: skipReason }, async (t) => {
  const service = await startContainerService(t, options);
  const id = await webPod(service);
  const socket = new WebSocket(`${service.proxyOrigin!.replace("http", "ws")}/${id}/8888/chat`);
  await once(socket, "open");
  for (const text of ["one", "zwei", "😀"]) {
    socket.send(text);
    const [{ data }] = (await once(socket, "message")) as [MessageEvent];
    assert.equal(data, text);
  }
  const closed = once(socket, "close");
  await service.call("POST", `/v1/pods/${id}/stop`);
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

test("public ports are forwarded, are in the container's environment, and can have equal numbers inside", {
  skip: skipReason,
}, async (t) => {
  const service = await startContainerService(t, options);
  const pods = podsOf(service);
  const id = await webPod(service);
  const { portMappings: ports } = await pods.get(id);
  assert.deepEqual(Object.keys(ports).sort(), ["7000", "70000"]);
  const env = JSON.parse((await visit(service.origin, id, 8_888, { path: "/env" })).text);
  assert.partialDeepStrictEqual(env, {
    RUNPOD_PUBLIC_IP: "127.0.0.1",
    RUNPOD_TCP_PORT_7000: String(ports["7000"]),
    RUNPOD_TCP_PORT_70000: String(ports["70000"]),
  });
  assert.equal(await until(() => heardAt(ports["7000"]!), id), "port 7000");
  assert.equal(await until(() => heardAt(ports["70000"]!), id), `port ${ports["70000"]}`);
  await service.call("POST", `/v1/pods/${id}/stop`);
  await until(pods.unreached, id);
  assert.equal(await heardAt(ports["7000"]!), null);
  await service.call("POST", `/v1/pods/${id}/start`);
  const again: PodJson = await until(pods.reached, id);
  assert.deepEqual(again.portMappings, ports);
  await service.call("POST", `/v1/pods/${id}/reset`);
  const after = await until(async () => {
    const pod = await pods.reached(id);
    return pod && pod.lastStartedAt! > again.lastStartedAt! && pod.portMappings["7000"]
      ? pod
      : null;
  }, id);
  assert.notEqual(after.portMappings["7000"], ports["7000"]);
});

test("ports that other programs use are replaced at once", { skip: skipReason }, async (t) => {
  const first = 31_000 + 10 * (process.pid % 100);
  for (const port of Array.from({ length: 8 }, (_, n) => first + n)) {
    const otherProgram = createServer().listen(port, "127.0.0.1");
    t.after(() => otherProgram.close());
    await once(otherProgram, "listening");
  }
  const env = { ...options.env, FREEHOLD_PORTS: `${first}-${first + 9}` };
  const service = await startContainerService(t, { ...options, env });
  const { json } = await service.call("POST", "/v1/pods", {
    computeType: "CPU",
    volumeInGb: 0,
    containerDiskInGb: 1,
    imageName: service.shellImage,
    dockerStartCmd: ["sleep", "1000"],
    ports: ["7000/tcp", "7001/tcp"],
  });
  const pod = await until(podsOf(service).reached, json.id);
  assert.deepEqual(Object.values(pod.portMappings).toSorted(), [first + 8, first + 9]);
  const { json: events } = await service.call("GET", `/v1/pods/${json.id}/events`);
  const names = events.map(({ event }: { event: string }) => event);
  assert.ok(!names.includes("start_failed"), names.join());
});

test("a hostile Pod gets no credentials of the service and cannot set cookies for it", {
  skip: skipReason,
}, async (t) => {
  const service = await startContainerService(t, options);
  const id = await webPod(service);
  const headers = {
    authorization: `Bearer ${service.key}`,
    cookie: "freehold_session=secret; theirs=1",
    referer: `http://127.0.0.1/graphql?api_key=${service.key}`,
  };
  const evil = await visit(service.origin, id, 8_888, { path: "/evil", headers });
  assert.ok(!evil.text.includes(service.key) && !evil.text.includes("secret"), evil.text);
  assert.match(evil.text, /theirs=1/);
  assert.deepEqual(evil.headers["set-cookie"], ["mine=1; Path=/"]);
  assert.equal(evil.headers["clear-site-data"], undefined);
  const sandboxed = await fetch(`${service.proxyOrigin}/${id}/8888/evil`);
  assert.match(sandboxed.headers.get("content-security-policy") ?? "", /^sandbox/);
  assert.deepEqual(sandboxed.headers.getSetCookie(), [`mine=1; Path=/${id}/8888/`]);
  await sandboxed.text();
  // What its page could have a visitor's browser do.
  const { host } = new URL(service.origin.replace("127.0.0.1", `${id}-8888.proxy.localhost`));
  for (const method of ["GET", "POST", "DELETE", "OPTIONS"]) {
    const address = method === "DELETE" ? `/v1/pods/${id}` : "/v1/pods";
    const answer = await service.call(method, address, undefined, { origin: `http://${host}` });
    assert.ok([403, 405].includes(answer.status), `${method} ${answer.text}`);
    assert.equal(answer.headers.get("access-control-allow-origin"), null);
  }
  assert.equal((await podsOf(service).get(id)).desiredStatus, "RUNNING");
});
