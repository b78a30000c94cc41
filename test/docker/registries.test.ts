// Tests of private images: only the right password pulls one, and an image that one account pulled is
// not available to another.

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { skipReason } from "../fixtures/docker/engine.ts";
import { createOtherAccount } from "../fixtures/service/other-account.ts";
import { until } from "../fixtures/until.ts";
import { podsOf } from "../pods/fixture.ts";
import { startContainerService } from "./container-service.ts";
import { CREDENTIALS, pushPrivate, startRegistry } from "./registry.ts";

/** The address of a server that the test closes. */
async function listen(t: TestContext, onRequest: RequestListener): Promise<string> {
  const server = createServer(onRequest).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const small = { computeType: "CPU", vcpuCount: 2, volumeInGb: 0, containerDiskInGb: 1 };
const machine = JSON.stringify({ vcpus: 16, memoryInGb: 64, diskInGb: 500 });
// With a second account, a registry on loopback has to be allowed.
const env = { FREEHOLD_MACHINE: machine, FREEHOLD_WEBHOOK_ALLOW: "127.0.0.1,localhost" };
const options = { env, protocol: { endGraceMs: 500 } };
const sleeping = { dockerEntrypoint: ["bash", "-c"], dockerStartCmd: ["sleep 1000"] };

test("a private image is pulled with its password and refused without it", {
  skip: skipReason,
}, async (t) => {
  const service = await startContainerService(t, options);
  const registry = await startRegistry(t);
  const imageName = pushPrivate(t, service, registry.closed);
  const otherAccount = await createOtherAccount(service);
  const keep = async (name: string, password: string, headers = {}) => {
    const body = { name, ...CREDENTIALS, password };
    return (await service.call("POST", "/v1/containerregistryauth", body, headers)).json.id;
  };
  const [right, wrong] = [await keep("right", CREDENTIALS.password), await keep("wrong", "horse")];
  const make = async (body: object, headers: Record<string, string> = {}) => {
    const pod = { ...small, imageName, ...sleeping, ...body };
    const { json, text } = await service.call("POST", "/v1/pods", pod, headers);
    assert.ok(json.id, text);
    return json.id as string;
  };
  const refused = async (id: string, headers: Record<string, string> = {}) => {
    const why = await until(async () => {
      const { json } = await service.call("GET", `/v1/why/${id}`, undefined, headers);
      return json.code === "pod_start_failing" ? json : null;
    }, id);
    assert.equal(why.evidence.cause, "image_unauthorised", why.sentence);
    assert.ok(!JSON.stringify(why).includes(CREDENTIALS.password));
    await service.call("DELETE", `/v1/pods/${id}`, undefined, headers);
  };
  await refused(await make({}));
  await refused(await make({ containerRegistryAuthId: wrong }));
  const pod = await make({ containerRegistryAuthId: right });
  await until(podsOf(service).reached, pod);

  // The image is on the engine now, for accounts with access.
  await refused(await make({}));
  await refused(await make({}, otherAccount), otherAccount);
  const theirs = await keep("theirs", CREDENTIALS.password, otherAccount);
  const shown = await make({ containerRegistryAuthId: theirs }, otherAccount);
  await until(async () => {
    const { json } = await service.call("GET", `/v1/pods/${shown}`, undefined, otherAccount);
    return json.publicIp;
  }, shown);
  const id = service.docker("images", "--quiet", "--no-trunc", imageName);
  await refused(await make({ imageName: id }, otherAccount), otherAccount);
  // An account that has proven its access is not checked again.
  registry.stop();
  await until(podsOf(service).reached, await make({ containerRegistryAuthId: right }));
});

test("a tenant sees nothing of a page that a registry's redirect leads to", {
  skip: skipReason,
}, async (t) => {
  const service = await startContainerService(t, options);
  const tenant = await createOtherAccount(service);
  const ask = (path: string) => service.call("GET", `/v1/${path}`, undefined, tenant);
  const page = "the-internal-page";
  const internal = await listen(t, (_, response) => response.writeHead(403).end(page));
  const registry = await listen(t, ({ url }, response) => {
    if (url === "/v2/") return response.writeHead(200).end();
    return response.writeHead(302, { location: `http://${internal}/latest/keys` }).end();
  });
  const imageName = `${registry}/a/b:1`;
  const { json: pod } = await service.call("POST", "/v1/pods", { ...small, imageName }, tenant);
  const why = await until(async () => {
    const { json } = await ask(`why/${pod.id}`);
    return json.code === "pod_start_failing" ? json : null;
  }, pod.id);
  assert.equal(why.evidence.cause, "image_unauthorised", JSON.stringify(why));
  for (const path of [`why/${pod.id}`, `pods/${pod.id}`, `pods/${pod.id}/logs`, "audit"]) {
    const { text } = await ask(path);
    assert.ok(!text.includes(page) && !text.includes("engine says"), `${path}: ${text}`);
  }
});

test("an endpoint's workers are started with their template's credentials", {
  skip: skipReason,
}, async (t) => {
  const service = await startContainerService(t, options);
  const registry = await startRegistry(t);
  const imageName = pushPrivate(t, service, registry.closed);
  const auth = { name: "right", ...CREDENTIALS };
  const { json: created } = await service.call("POST", "/v1/containerregistryauth", auth);
  const template = { name: "t", imageName, ...sleeping, containerRegistryAuthId: created.id };
  const { json } = await service.call("POST", "/v1/templates", template);
  const wanted = { templateId: json.id, workersMin: 1, workersMax: 1, computeType: "CPU" };
  const { json: endpoint } = await service.call("POST", "/v1/endpoints", wanted);
  await until(async () => {
    const { json: workers } = await service.call("GET", `/v1/endpoints/${endpoint.id}/workers`);
    return workers.some(({ startedAt }: { startedAt?: string }) => startedAt) || null;
  }, "");
  const held = await service.call("DELETE", `/v1/containerregistryauth/${created.id}`);
  assert.equal(held.json.code, "registry_auth_in_use");
});
