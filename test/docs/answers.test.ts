// Tests that every operation responds as documented. This file calls each operation once; the
// requests of all other tests are checked as well.

import assert from "node:assert/strict";
import { test } from "node:test";
import { operations } from "../../src/contract/openapi.ts";
import type { Operation } from "../../src/contract/operation.ts";
import { queueOperations as queue } from "../../src/contract/queue/operations.ts";
import { accountOperations } from "../../src/contract/rest-v1/account/account.ts";
import { accountsOperations as accounts } from "../../src/contract/rest-v1/account/accounts.ts";
import { auditOperations } from "../../src/contract/rest-v1/account/audit.ts";
import { installationOperations } from "../../src/contract/rest-v1/account/installation.ts";
import { keyOperations as keys } from "../../src/contract/rest-v1/account/key.ts";
import { memberOperations as members } from "../../src/contract/rest-v1/account/member.ts";
import { projectOperations as projects } from "../../src/contract/rest-v1/account/project.ts";
import { quotaOperations as quotas } from "../../src/contract/rest-v1/account/quota.ts";
import { sessionOperations as sessions } from "../../src/contract/rest-v1/account/session.ts";
import { signInOperations } from "../../src/contract/rest-v1/account/sign-in.ts";
import { billingOperations as money } from "../../src/contract/rest-v1/billing/billing.ts";
import { budgetOperations as budgets } from "../../src/contract/rest-v1/billing/budget.ts";
import { savingsPlanOperations as plans } from "../../src/contract/rest-v1/billing/savings-plan.ts";
import { statementOperations } from "../../src/contract/rest-v1/billing/statement.ts";
import { endpointOperations as endpoints } from "../../src/contract/rest-v1/endpoint/endpoint.ts";
import { workerOperations as workers } from "../../src/contract/rest-v1/endpoint/worker.ts";
import { jobOperations as jobs } from "../../src/contract/rest-v1/job/job.ts";
import { catalogOperations as catalog } from "../../src/contract/rest-v1/machine/catalog.ts";
import { machineOperations } from "../../src/contract/rest-v1/machine/machine.ts";
import { referenceOperations as reference } from "../../src/contract/rest-v1/observe/reference.ts";
import { podOperations as pods } from "../../src/contract/rest-v1/pod/pod-operations.ts";
import { quoteOperations } from "../../src/contract/rest-v1/quote/quote.ts";
import { registryAuthOperations as auths } from "../../src/contract/rest-v1/secret/registry-auth.ts";
import { secretOperations as secrets } from "../../src/contract/rest-v1/secret/secret.ts";
import { sshKeyOperations as sshKeys } from "../../src/contract/rest-v1/secret/ssh-key.ts";
import { networkVolumeOperations as volumes } from "../../src/contract/rest-v1/storage/network-volume.ts";
import { templateOperations as templates } from "../../src/contract/rest-v1/template/template.ts";
import { startService, type TestService } from "../fixtures/service/service.ts";
import { conforms } from "./conforms.ts";
import { faultsOf, readExamples } from "./examples.ts";
import { askOfPasswords } from "./password-answers.ts";
import { askOfExemptions, askOfReservations } from "./sharing-answers.ts";

/** It is the document itself. */
const NO_EXAMPLE = new Set(["getOpenapi"]);
const MACHINE = JSON.stringify({ vcpus: 16, memoryInGb: 64, diskInGb: 500 });

test("a response that differs from the document fails", () => {
  const headers = new Headers({ "content-type": "application/json" });
  const answerOf = (status: number, json: object) => ({ status, headers, text: "", json });
  const one = "/v1/ssh-keys/abc";
  const key = { id: "abc", name: "n", type: "t", fingerprint: "f", publicKey: "p", createdAt: "c" };
  assert.throws(() => conforms("GET", one, answerOf(200, { ...key, extra: 1 })));
  assert.throws(() => conforms("GET", one, answerOf(200, { ...key, name: 1 })));
  assert.throws(() => conforms("GET", one, answerOf(201, key)));
  assert.throws(() => conforms("GET", one, answerOf(404, { error: "There is none." })));
});

const aPod = {
  driver: "simulated",
  gpuTypeIds: ["NVIDIA A40"],
  stopAfter: "2100-01-01T00:00:00Z",
};

const askerOf =
  (service: TestService) =>
  async (operation: Operation, path = operation.path, body?: unknown) => {
    const answer = await service.call(operation.method, path, body);
    assert.equal(answer.status, operation.answer.status, answer.text);
    return answer.json;
  };

test("the management interface responds as documented", async (t) => {
  const service = await startService(t);
  const ask = askerOf(service);
  const templateSettings = {
    name: "sdxl",
    imageName: "example/sdxl:1.2",
    driver: "simulated",
    env: { MODEL: "sdxl-turbo" },
    ports: ["8000/http"],
    volumeInGb: 0,
  };
  const template = await ask(templates.createTemplate, "/v1/templates", templateSettings);
  await ask(templates.listTemplates, "/v1/templates?includeEndpointBoundTemplates=true");
  await ask(templates.getTemplate, `/v1/templates/${template.id}`);
  await ask(templates.updateTemplate, `/v1/templates/${template.id}`, {
    readme: "# Pictures from words",
  });
  const settings = {
    templateId: template.id,
    name: "pictures",
    computeType: "CPU",
    cpuFlavorIds: ["cpu3c"],
    workersMax: 3,
  };
  const endpoint = await ask(endpoints.createEndpoint, "/v1/endpoints", settings);
  const one = `/v1/endpoints/${endpoint.id}`;
  await service.makeWorker(endpoint.id);
  await service.call("POST", `/v2/${endpoint.id}/run`, { input: { prompt: "a lighthouse" } });
  await ask(endpoints.listEndpoints, "/v1/endpoints?includeTemplate=true&includeWorkers=true");
  await ask(endpoints.getEndpoint, `${one}?includeTemplate=true&includeWorkers=true`);
  await ask(endpoints.updateEndpoint, one, { minCudaVersion: "12.4" });
  const [worker] = await ask(workers.listWorkers, `${one}/workers`);
  await ask(workers.getWorker, `/v1/workers/${worker.id}`);
  await ask(workers.getWorkerLogs, `/v1/workers/${worker.id}/logs`);
  await ask(pods.getSplitLogs, `/v1/pod/${worker.id}/logs`);
  await ask(workers.getWorkerMetrics, `/v1/workers/${worker.id}/metrics`);
  await ask(workers.listReleases, `${one}/releases`);
  const [job] = await ask(jobs.listJobs, "/v1/jobs");
  await ask(jobs.getJob, `/v1/jobs/${job.id}`);
  const place = { name: "models", size: 50, dataCenterId: "EU-RO-1" };
  const volume = await ask(volumes.createNetworkVolume, "/v1/networkvolumes", place);
  const networkVolumeId = volume.id;
  await ask(volumes.listNetworkVolumes, "/v1/networkvolumes?includeUse=true");
  await ask(volumes.getNetworkVolume, `/v1/networkvolumes/${networkVolumeId}`);
  await ask(volumes.updateNetworkVolume, `/v1/networkvolumes/${networkVolumeId}`, { size: 80 });
  await ask(endpoints.updateEndpoint, one, { networkVolumeId });
  const about = { name: "notebook", templateId: template.id, stopWhenIdle: { minutes: 240 } };
  const podBody = { ...aPod, ...about, networkVolumeId };
  const pod = await ask(pods.createPod, "/v1/pods", podBody);
  const everything =
    "includeMachine=true&includeNetworkVolume=true&includeSavingsPlans=true&includeTemplate=true";
  await ask(pods.listPods, `/v1/pods?includeWorkers=true&${everything}`);
  await ask(pods.getPod, `/v1/pods/${pod.id}?${everything}`);
  await ask(pods.updatePod, `/v1/pods/${pod.id}`, { name: "notebook-2" });
  await ask(pods.keepPod, `/v1/pods/${pod.id}/keep`, { minutes: 120 });
  await ask(pods.restartPod, `/v1/pods/${pod.id}/restart`);
  await ask(pods.resetPod, `/v1/pods/${pod.id}/reset`);
  await ask(pods.getPodLogs, `/v1/pods/${pod.id}/logs`);
  await ask(pods.listPodEvents, `/v1/pods/${pod.id}/events`);
  await ask(pods.getPodMetrics, `/v1/pods/${pod.id}/metrics`);
  await ask(pods.stopPod, `/v1/pods/${pod.id}/stop`);
  await ask(pods.startPod, `/v1/pods/${pod.id}/start`);
  await ask(pods.deletePod, `/v1/pods/${pod.id}`);
  const [machine] = await ask(machineOperations.listMachines, "/v1/machines");
  await ask(machineOperations.getMachineMetrics, `/v1/machines/${machine.id}/metrics`);
  for (const operation of Object.values(catalog)) await ask(operation, operation.path);
  await ask(endpoints.deleteEndpoint, one);
  await ask(volumes.deleteNetworkVolume, `/v1/networkvolumes/${networkVolumeId}`);
  await ask(templates.deleteTemplate, `/v1/templates/${template.id}`);
});

const SSH_KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE6nA99ipUfHEGM4XEMOexbFfG2yUoAsdc8BJoz2T+oK";

test("keys and the account respond as documented", async (t) => {
  const service = await startService(t);
  const ask = askerOf(service);
  const key = await ask(keys.createKey, "/v1/keys", {
    name: "dashboard",
    permissions: { rest: "read" },
  });
  await ask(keys.listKeys, "/v1/keys");
  await ask(keys.getKey, `/v1/keys/${key.id}`);
  await ask(keys.updateKey, `/v1/keys/${key.id}`, { disabled: true });
  await ask(keys.revokeKey, `/v1/keys/${key.id}`);
  await ask(accountOperations.updateAccount, "/v1/account", { webhookSecret: "generate" });
  await ask(accountOperations.getAccount, "/v1/account");
});

test("credentials respond as documented", async (t) => {
  const service = await startService(t);
  const send = askerOf(service);
  const ask = (operation: Operation, id = "", body?: unknown) =>
    send(operation, operation.path.replace(/\{\w+\}/, id), body);
  const opens = { name: "our registry", username: "robot", password: "of no use" };
  const auth = await ask(auths.createContainerRegistryAuth, undefined, opens);
  await ask(auths.listContainerRegistryAuths);
  await ask(auths.getContainerRegistryAuth, auth.id);
  await ask(auths.updateContainerRegistryAuth, auth.id, { labels: { team: "search" } });
  await ask(auths.deleteContainerRegistryAuth, auth.id);
  const token = { name: "HF_TOKEN", value: "hf_of_no_use" };
  const secret = await ask(secrets.createSecret, undefined, token);
  await ask(secrets.listSecrets);
  await ask(secrets.getSecret, secret.id);
  await ask(secrets.updateSecret, secret.id, { value: "hf_of_no_use_either" });
  await ask(secrets.deleteSecret, secret.id);
  const key = await ask(sshKeys.createSshKey, undefined, { publicKey: SSH_KEY });
  await ask(sshKeys.listSshKeys);
  await ask(sshKeys.getSshKey, key.id);
  await ask(sshKeys.updateSshKey, key.id, { labels: { team: "search" } });
  await ask(sshKeys.deleteSshKey, key.id);
});

test("the queue responds as documented", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const ask = async (operation: Operation, path: string, body?: unknown, key?: string) => {
    const headers: Record<string, string> = key === undefined ? {} : { authorization: key };
    const answer = await service.call(operation.method, `/v2/${endpoint}/${path}`, body, headers);
    assert.equal(answer.status, operation.answer.status, answer.text);
    return answer.json;
  };
  const body = { input: { prompt: "a lighthouse" }, policy: { ttl: 60_000 } };
  const { id } = await ask(queue.run, "run", body);
  await ask(queue.status, `status/${id}`);
  await worker.call("job-take");
  await worker.call(`job-stream/${id}`, "", '{"output":{"step":1},"metrics":{"n":1}}');
  await ask(queue.stream, `stream/${id}`);
  await ask(queue.stream, `stream/${id}?from=0`, undefined, service.key);
  await worker.call(`job-done/${id}`, "", '{"error":"boom"}');
  await ask(queue.statusSync, `status-sync/${id}`);
  await ask(queue.retry, `retry/${id}`);
  await worker.call("job-take");
  await worker.call(`job-done/${id}`, "", '{"error":"boom"}');
  const own = await service.call("POST", `/v1/jobs/${id}/retry`);
  assert.equal(own.status, jobs.retryJob.answer.status, own.text);
  await bulkOperationResponds(service, endpoint);
  await batchesRespond(service, endpoint);
  await schedulesRespond(service, endpoint);
  await ask(queue.requests, "requests?limit=1");
  await ask(queue.cancel, `cancel/${id}`);
  await ask(queue.runsync, "runsync?wait=1000", body);
  await ask(queue.health, "health");
  await ask(queue.metrics, "metrics");
  await ask(queue.purgeQueue, "purge-queue");
});

async function bulkOperationResponds(service: TestService, endpointId: string): Promise<void> {
  const body = { action: "retry", filter: { endpointId, status: "FAILED", error: "boom" } };
  const { json: operation, text } = await service.call("POST", "/v1/job-operations", body);
  assert.equal(operation.status, "RUNNING", text);
  for (const [method, path] of [
    ["GET", `/v1/job-operations/${operation.id}`],
    ["GET", "/v1/job-operations"],
    ["POST", `/v1/job-operations/${operation.id}/cancel`],
    ["GET", `/v1/jobs/export?endpointId=${endpointId}`],
  ] as const) {
    assert.equal((await service.call(method, path)).status, 200, path);
  }
}

async function batchesRespond(service: TestService, endpointId: string): Promise<void> {
  const webhook = "http://127.0.0.1:9/";
  const items = [{ input: { n: 1 }, policy: { priority: 1 } }, { input: {} }];
  const created = await service.call("POST", "/v1/batches", { endpointId, items, webhook });
  assert.equal(created.status, 200, created.text);
  for (const [method, path] of [
    ["GET", `/v1/batches/${created.json.id}`],
    ["GET", "/v1/batches"],
    ["POST", `/v1/batches/${created.json.id}/cancel`],
  ] as const) {
    assert.equal((await service.call(method, path)).status, 200, path);
  }
}

async function schedulesRespond(service: TestService, endpointId: string): Promise<void> {
  const nightly = { cron: "0 2 * * *", timeZone: "Europe/Berlin" };
  const body = { endpointId, name: "nightly", ...nightly, input: { table: "orders" } };
  const { json: schedule, text } = await service.call("POST", "/v1/schedules", body);
  assert.equal(schedule.status, "ACTIVE", text);
  const one = `/v1/schedules/${schedule.id}`;
  for (const [method, path, status, content] of [
    ["POST", `${one}/run`, 200],
    ["GET", `${one}/runs`, 200],
    ["GET", one, 200],
    ["GET", "/v1/schedules", 200],
    ["PATCH", one, 200, { missedRunPolicy: "RUN_ONCE" }],
    ["POST", `${one}/pause`, 200],
    ["POST", `${one}/resume`, 200],
    ["GET", "/v1/schedule-preview?cron=0+2+*+*+*&timeZone=Europe/Berlin", 200],
    ["DELETE", one, 204],
  ] as const) {
    const answer = await service.call(method, path, content);
    assert.equal(answer.status, status, `${path} ${answer.text}`);
  }
}

test("members, billing and accounts respond as documented", async (t) => {
  const service = await startService(t);
  const ask = async (operation: Operation, ids: string[] = [], body?: unknown, query = "") => {
    const path = operation.path.replace(/\{\w+\}/g, () => ids.shift()!);
    const headers = { origin: service.origin };
    const answer = await service.call(operation.method, path + query, body, headers);
    assert.equal(answer.status, operation.answer.status, answer.text);
    return answer.json;
  };
  await ask(reference.getIndex);
  await ask(sessions.signIn, [], { key: service.key });
  await ask(sessions.getSelf);
  await ask(signInOperations.readSignInWays);
  await ask(sessions.listSessions);

  await ask(money.addCredit, [], { amount: 2_000, note: "Invoice 17" });
  await ask(money.getBalance);
  await ask(statementOperations.getStatement);
  const budget = await ask(budgets.createBudget, [], { period: "month", limit: 500 });
  await ask(budgets.listBudgets);
  await ask(budgets.getBudget, [budget.id]);
  await ask(budgets.updateBudget, [budget.id], { limit: 800 });
  const quoted = { imageName: "example/sdxl:1.2", gpuTypeIds: ["NVIDIA A40"], driver: "simulated" };
  await ask(quoteOperations.createQuote, [], { pod: quoted });
  const bought = { gpuTypeId: "NVIDIA A40", gpuCount: 2, planLength: "threeMonth" };
  const plan = await ask(plans.createSavingsPlan, [], bought);
  await ask(plans.listSavingsPlans);
  await ask(plans.getSavingsPlan, [plan.id]);

  const invited = await ask(members.createInvitation, [], {
    email: "ada@example.org",
    role: "dev",
  });
  await ask(members.listInvitations);
  const accepted = { token: invited.token, name: "Ada" };
  const { member, key } = await ask(members.acceptInvitation, [], accepted);
  await askOfPasswords(service, key, member.id);
  await ask(members.listMembers);
  await ask(members.getMember, [member.id]);
  await ask(members.updateMember, [member.id], { role: "admin" });
  await ask(quotas.updateMemberDefaultQuota, [], { gpus: 2, costPerHr: 5 });
  await ask(quotas.updateMemberQuota, [member.id], { gpus: 4, gpuTypes: { "NVIDIA A40": 2 } });
  const project = await ask(projects.createProject, [], {
    name: "Vision",
    memberIds: [member.id],
    limits: { gpus: 8 },
  });
  await ask(projects.listProjects);
  await ask(projects.getProject, [project.id]);
  await ask(projects.updateProject, [project.id], { limits: { gpus: 4, costPerHr: 20 } });
  await ask(quotas.getQuota);
  await ask(quotas.listIdleGpuHours);
  await askOfReservations(ask, project.id);
  await askOfExemptions(ask, project.id);
  await ask(projects.deleteProject, [project.id]);
  await ask(auditOperations.listAudit);
  const account = await ask(accounts.createAccount, [], { name: "Lab", limited: true });
  await ask(accounts.listAccounts);
  await ask(installationOperations.getInstallation);
  await ask(accounts.getManagedAccount, [account.id]);
  await ask(accounts.updateManagedAccount, [account.id], { name: "The lab" });
  await ask(accounts.creditAccount, [account.id], { amount: 100 });
  await ask(accounts.createAccountKey, [account.id], { name: "first" });
  await ask(quotas.updateAccountQuota, [account.id], { gpus: 8 });
  await ask(quotas.getAccountQuota, [account.id]);
  await ask(plans.grantSavingsPlan, [account.id], bought);
});

test("device logins respond as documented", async (t) => {
  const service = await startService(t);
  const query = "mutation { createFlashAuthRequest { id } }";
  const begin = async () =>
    (await service.call("POST", "/graphql", { query })).json.data.createFlashAuthRequest.id;
  const path = `/v1/device-logins/${await begin()}`;
  assert.equal((await service.call("GET", path)).status, 200);
  const named = { name: "My laptop" };
  assert.equal((await service.call("POST", `${path}/approve`, named)).status, 200);
  assert.equal((await service.call("POST", `/v1/device-logins/${await begin()}/deny`)).status, 200);
});

test("a roll-back responds as documented", async (t) => {
  const service = await startService(t);
  const image = { name: "sdxl", imageName: "example/sdxl:1.2" };
  const { id } = (await service.call("POST", "/v1/templates", image)).json;
  const settings = { templateId: id, name: "pictures", computeType: "CPU" };
  const endpoint = (await service.call("POST", "/v1/endpoints", settings)).json;
  await service.call("PATCH", `/v1/templates/${id}`, { imageName: "example/sdxl:1.3" });
  const path = `/v1/endpoints/${endpoint.id}/releases/1/rollback`;
  await askerOf(service)(endpoints.rollBackEndpoint, path);
});

test("events and logs respond as documented", async (t) => {
  const service = await startService(t, { env: { FREEHOLD_MACHINE: MACHINE } });
  const pod = await service.call("POST", "/v1/pods", { ...aPod, imageName: "example/sdxl:1.2" });
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const webhook = "http://127.0.0.1:9/";
  const { id } = (await service.call("POST", `/v2/${endpoint}/run`, { input: {}, webhook })).json;
  await service.call("GET", `/v1/why/${id}`);
  await worker.call("job-take");
  await worker.call(`job-done/${id}`, "", '{"output":"a picture"}');
  await service.call("GET", `/v1/jobs/${id}/logs`);
  await service.call("GET", `/v1/endpoints/${endpoint}/cost`);
  await service.call("GET", "/v1/endpoint-activity");
  await service.call("DELETE", `/v1/pods/${pod.json.id}`);
  for (const each of ["pods", "endpoints", "networkvolumes", "statement"]) {
    assert.equal((await service.call("GET", `/v1/billing/${each}`)).status, 200);
  }
  const [{ id: machine }] = (await service.call("GET", "/v1/machines")).json;
  const closed = { maintenanceStart: "2100-01-01T00:00:00Z", maintenanceNote: "A new fan" };
  assert.equal((await service.call("PATCH", `/v1/machines/${machine}`, closed)).status, 200);
});

test("every operation has an example that matches its schema", () => {
  const all = readExamples();
  const faults = Object.entries(operations).flatMap(([name, operation]) =>
    NO_EXAMPLE.has(name) ? [] : faultsOf(operation, all[name]).map((fault) => `${name}: ${fault}`),
  );
  const fix =
    "FREEHOLD_EXAMPLES=write node bin/test.mjs <tests that ask for it>, then npm run generate";
  assert.deepEqual(faults, [], fix);
});
