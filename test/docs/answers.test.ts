// Every operation is asked once; that its answer is as documented is seen wherever a test asks.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Operation } from "../../src/contract/operation.ts";
import { queueOperations as queue } from "../../src/contract/queue/operations.ts";
import { accountOperations } from "../../src/contract/rest-v1/account.ts";
import { catalogOperations as catalog } from "../../src/contract/rest-v1/catalog.ts";
import { endpointOperations as endpoints } from "../../src/contract/rest-v1/endpoint.ts";
import { jobOperations as jobs } from "../../src/contract/rest-v1/job.ts";
import { keyOperations as keys } from "../../src/contract/rest-v1/key.ts";
import { machineOperations } from "../../src/contract/rest-v1/machine.ts";
import { networkVolumeOperations as volumes } from "../../src/contract/rest-v1/network-volume.ts";
import { podOperations as pods } from "../../src/contract/rest-v1/pod-operations.ts";
import { registryAuthOperations as auths } from "../../src/contract/rest-v1/registry-auth.ts";
import { secretOperations as secrets } from "../../src/contract/rest-v1/secret.ts";
import { sshKeyOperations as sshKeys } from "../../src/contract/rest-v1/ssh-key.ts";
import { templateOperations as templates } from "../../src/contract/rest-v1/template.ts";
import { workerOperations as workers } from "../../src/contract/rest-v1/worker.ts";
import { startHouse } from "../house.ts";
import { conforms } from "./conforms.ts";

test("an answer that is not as documented is seen", () => {
  const headers = new Headers({ "content-type": "application/json" });
  const told = (status: number, json: object) => ({ status, headers, text: "", json });
  const one = "/v1/ssh-keys/abc";
  const key = { id: "abc", name: "n", type: "t", fingerprint: "f", publicKey: "p", createdAt: "c" };
  assert.throws(() => conforms("GET", one, told(200, { ...key, extra: 1 })));
  assert.throws(() => conforms("GET", one, told(200, { ...key, name: 1 })));
  assert.throws(() => conforms("GET", one, told(201, key)));
  assert.throws(() => conforms("GET", one, told(404, { error: "There is none." })));
});

const aPod = {
  driver: "fake",
  gpuTypeIds: ["NVIDIA A40"],
  stopAfter: "2100-01-01T00:00:00Z",
};

test("the management interface answers as documented", async (t) => {
  const house = await startHouse(t);
  const ask = async (operation: Operation, path: string, body?: unknown) => {
    const answer = await house.call(operation.method, path, body);
    assert.equal(answer.status, operation.answer.status, answer.text);
    return answer.json;
  };
  const made = { name: "t", imageName: "i", driver: "fake", env: { A: "1" } };
  const template = await ask(templates.createTemplate, "/v1/templates", made);
  await ask(templates.listTemplates, "/v1/templates?includeEndpointBoundTemplates=true");
  await ask(templates.getTemplate, `/v1/templates/${template.id}`);
  await ask(templates.updateTemplate, `/v1/templates/${template.id}`, { readme: "r" });
  const settings = { templateId: template.id, computeType: "CPU", cpuFlavorIds: ["cpu3c"] };
  const endpoint = await ask(endpoints.createEndpoint, "/v1/endpoints", settings);
  const one = `/v1/endpoints/${endpoint.id}`;
  await house.makeWorker(endpoint.id);
  await house.call("POST", `/v2/${endpoint.id}/run`, { input: {} });
  await ask(endpoints.listEndpoints, "/v1/endpoints?includeTemplate=true&includeWorkers=true");
  await ask(endpoints.getEndpoint, `${one}?includeTemplate=true&includeWorkers=true`);
  await ask(endpoints.updateEndpoint, one, { minCudaVersion: "12.4" });
  const [worker] = await ask(workers.listWorkers, `${one}/workers`);
  await ask(workers.getWorker, `/v1/workers/${worker.id}`);
  await ask(workers.getWorkerLogs, `/v1/workers/${worker.id}/logs`);
  await ask(workers.getWorkerMetrics, `/v1/workers/${worker.id}/metrics`);
  await ask(workers.listReleases, `${one}/releases`);
  const [job] = await ask(jobs.listJobs, "/v1/jobs");
  await ask(jobs.getJob, `/v1/jobs/${job.id}`);
  const key = await ask(keys.createKey, "/v1/keys", { name: "k", permissions: { rest: "read" } });
  await ask(keys.listKeys, "/v1/keys");
  await ask(keys.getKey, `/v1/keys/${key.id}`);
  await ask(keys.updateKey, `/v1/keys/${key.id}`, { disabled: true });
  await ask(keys.revokeKey, `/v1/keys/${key.id}`);
  await ask(accountOperations.updateAccount, "/v1/account", { webhookSecret: "generate" });
  await ask(accountOperations.getAccount, "/v1/account");
  const place = { name: "v", size: 1, dataCenterId: "EU-RO-1" };
  const { id: networkVolumeId } = await ask(
    volumes.createNetworkVolume,
    "/v1/networkvolumes",
    place,
  );
  await ask(volumes.listNetworkVolumes, "/v1/networkvolumes");
  await ask(volumes.getNetworkVolume, `/v1/networkvolumes/${networkVolumeId}`);
  await ask(volumes.updateNetworkVolume, `/v1/networkvolumes/${networkVolumeId}`, { size: 2 });
  await ask(endpoints.updateEndpoint, one, { networkVolumeId });
  const podBody = { ...aPod, templateId: template.id, networkVolumeId };
  const pod = await ask(pods.createPod, "/v1/pods", podBody);
  const everything =
    "includeMachine=true&includeNetworkVolume=true&includeSavingsPlans=true&includeTemplate=true";
  await ask(pods.listPods, `/v1/pods?includeWorkers=true&${everything}`);
  await ask(pods.getPod, `/v1/pods/${pod.id}?${everything}`);
  await ask(pods.updatePod, `/v1/pods/${pod.id}`, { name: "p" });
  await ask(pods.restartPod, `/v1/pods/${pod.id}/restart`);
  await ask(pods.resetPod, `/v1/pods/${pod.id}/reset`);
  await ask(pods.getPodLogs, `/v1/pods/${pod.id}/logs`);
  await ask(pods.getPodMetrics, `/v1/pods/${pod.id}/metrics`);
  await ask(pods.stopPod, `/v1/pods/${pod.id}/stop`);
  await ask(pods.startPod, `/v1/pods/${pod.id}/start`);
  await ask(pods.deletePod, `/v1/pods/${pod.id}`);
  await ask(machineOperations.listMachines, "/v1/machines");
  for (const operation of Object.values(catalog)) await ask(operation, operation.path);
  await ask(endpoints.deleteEndpoint, one);
  await ask(volumes.deleteNetworkVolume, `/v1/networkvolumes/${networkVolumeId}`);
  await ask(templates.deleteTemplate, `/v1/templates/${template.id}`);
});

const SSH_KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE6nA99ipUfHEGM4XEMOexbFfG2yUoAsdc8BJoz2T+oK";

test("what opens things answers as documented", async (t) => {
  const house = await startHouse(t);
  const ask = async (operation: Operation, id?: string, body?: unknown) => {
    const path = id === undefined ? operation.path : operation.path.replace(/\{\w+\}/, id);
    const answer = await house.call(operation.method, path, body);
    assert.equal(answer.status, operation.answer.status, answer.text);
    return answer.json;
  };
  const opens = { name: "a", username: "u", password: "p" };
  const auth = await ask(auths.createContainerRegistryAuth, undefined, opens);
  await ask(auths.listContainerRegistryAuths);
  await ask(auths.getContainerRegistryAuth, auth.id);
  await ask(auths.deleteContainerRegistryAuth, auth.id);
  const secret = await ask(secrets.createSecret, undefined, { name: "s", value: "v" });
  await ask(secrets.listSecrets);
  await ask(secrets.getSecret, secret.id);
  await ask(secrets.updateSecret, secret.id, { value: "w" });
  await ask(secrets.deleteSecret, secret.id);
  const key = await ask(sshKeys.createSshKey, undefined, { publicKey: SSH_KEY });
  await ask(sshKeys.listSshKeys);
  await ask(sshKeys.getSshKey, key.id);
  await ask(sshKeys.deleteSshKey, key.id);
});

test("the queue answers as documented", async (t) => {
  const house = await startHouse(t);
  const endpoint = await house.makeEndpoint();
  const worker = await house.makeWorker(endpoint);
  const ask = async (operation: Operation, path: string, body?: unknown, key?: string) => {
    const headers: Record<string, string> = key === undefined ? {} : { authorization: key };
    const answer = await house.call(operation.method, `/v2/${endpoint}/${path}`, body, headers);
    assert.equal(answer.status, operation.answer.status, answer.text);
    return answer.json;
  };
  const body = { input: {}, policy: { ttl: 60_000 }, s3Config: { bucketName: "b" } };
  const { id } = await ask(queue.run, "run", body);
  await ask(queue.status, `status/${id}`);
  await worker.call("job-take");
  await worker.call(`job-stream/${id}`, "", '{"output":"a","metrics":{"n":1}}');
  await ask(queue.stream, `stream/${id}`);
  await ask(queue.stream, `stream/${id}?from=0`, undefined, house.key);
  await worker.call(`job-done/${id}`, "", '{"error":"boom"}');
  await ask(queue.statusSync, `status-sync/${id}`);
  await ask(queue.retry, `retry/${id}`);
  await ask(queue.requests, "requests?limit=1");
  await ask(queue.cancel, `cancel/${id}`);
  await ask(queue.runsync, "runsync?wait=1000", body);
  await ask(queue.health, "health");
  await ask(queue.metrics, "metrics");
  await ask(queue.purgeQueue, "purge-queue");
});
