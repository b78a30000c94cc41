// Two accounts on one service. Alpha has one of each resource, and all of its text contains
// "alpha"; beta has what it needs to request alpha's resources.

import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { Answer, TestService } from "../../fixtures/service/service.ts";
import { startedWorkload } from "../../fixtures/service/started-workloads.ts";
import { until } from "../../fixtures/until.ts";
import { podsOf, simulatedService } from "../../pods/fixture.ts";

/** The ids by their names in paths. */
export type Ids = Record<string, string>;

export interface Scene {
  service: TestService;
  ids: Ids;
  /** Beta's keys: of its account, of its worker and of its Pod. */
  beta: { account: string; worker: string; pod: string };
  /** Beta's own resources that requests refer to. */
  own: { endpointId: string; podId: string };
  /** The key that made alpha's resources. */
  alphaKey: string;
  /** A request with any key; by default alpha's. */
  send(method: string, path: string, body?: unknown, key?: string): Promise<Answer>;
}

const SSH_KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE6nA99ipUfHEGM4XEMOexbFfG2yUoAsdc8BJoz2T+oK";
const POD = {
  driver: "simulated",
  computeType: "CPU",
  env: { A: "alpha" },
  ports: ["8888/http", "22/tcp"],
};
/** No driver can run it, so its state does not change during the test. */
const ENDPOINT = { computeType: "CPU", workersMin: 0 };

/** With `byMember`, alpha's resources belong to a member of alpha, an admin. */
export async function setScene(
  t: TestContext,
  { byMember = false }: { byMember?: boolean } = {},
): Promise<Scene> {
  const service = await simulatedService(t, { protocol: { refuseHoldMs: 0 } });
  const account = async (name: string) => {
    const body = { name, limited: false };
    const { status, json, text } = await service.call("POST", "/v1/accounts", body);
    assert.equal(status, 201, text);
    const limits = { reservedGpus: null };
    await service.call("PATCH", `/v1/accounts/${json.id}/quota`, limits);
    return json as { id: string; key: string };
  };
  const [alpha, beta] = [await account("alpha"), await account("beta")];
  const send: Scene["send"] = (method, path, body, key = alpha.key) =>
    service.call(method, path, body, { authorization: `Bearer ${key}` });
  const make = makerFor(send);
  const alphaKey = byMember ? await memberKey(send, "admin") : alpha.key;
  const ids = await furnish(service, make, alphaKey);
  await send("PUT", "/v1/reservation-feed");
  const pod = await make(beta.key, "/v1/pods", { ...POD, name: "b", imageName: "i", env: {} });
  const endpoint = await endpointIn(make, beta.key, "b");
  const worker = await service.makeWorker(endpoint.id);
  await until(podsOf({ call: (...[m, p, b]) => send(m, p, b, beta.key) }).reached, pod.id);
  const own = { endpointId: endpoint.id, podId: pod.id };
  const keys = {
    account: beta.key,
    worker: worker.key,
    pod: startedWorkload(service, pod.id)!.env.RUNPOD_API_KEY!,
  };
  return { service, ids: { ...ids, accountId: alpha.id }, beta: keys, own, alphaKey, send };
}

/** The key of a new member of alpha. */
export async function memberKey(send: Scene["send"], role: string): Promise<string> {
  const { json } = await send("POST", "/v1/invitations", { email: `${role}@lab.example`, role });
  const accepted = await send("POST", "/v1/invitations/accept", { token: json.token });
  assert.equal(accepted.status, 201, accepted.text);
  return accepted.json.key;
}

type Make = (key: string, path: string, body: object) => Promise<{ id: string }>;

function makerFor(send: Scene["send"]): Make {
  return async (key, path, body) => {
    const { status, json, text } = await send("POST", path, body, key);
    assert.ok(status === 200 || status === 201, `${path} ${text}`);
    return json;
  };
}

async function endpointIn(make: Make, key: string, name: string) {
  // No worker starts, so that nothing changes between two reads.
  const image = { name, imageName: name.replace(" ", "/"), isServerless: true, driver: "docker" };
  const template = await make(key, "/v1/templates", image);
  return make(key, "/v1/endpoints", { ...ENDPOINT, name, templateId: template.id });
}

async function sandboxIn(alpha: (path: string, body: object) => Promise<{ id: string }>) {
  const image = { name: "alpha sandbox", imageName: "alpha", driver: "simulated" };
  const { id: templateId } = await alpha("/v1/templates", image);
  return alpha("/v2/sandboxes", { name: "alpha", templateId });
}

async function makeFlashApp(alpha: (path: string, body: object) => Promise<object>) {
  const mutate = async (mutation: string) => {
    const answer = await alpha("/graphql", { query: `mutation { result: ${mutation} }` });
    return (answer as { data: { result: Record<string, string> } }).data.result;
  };
  const create = async (mutation: string) => (await mutate(`${mutation} { id }`)).id!;
  const flashAppId = await create('createFlashApp(input: {name: "alpha"})');
  const input = `{flashAppId: "${flashAppId}", name: "alpha"}`;
  const size = `{flashAppId: "${flashAppId}", tarballSize: 5}`;
  const upload = await mutate(`prepareFlashArtifactUpload(input: ${size}) { uploadUrl objectKey }`);
  await fetch(upload.uploadUrl!, { method: "PUT", body: "alpha" });
  const final = `{flashAppId: "${flashAppId}", objectKey: "${upload.objectKey}", manifest: {}}`;
  return {
    flashAppId,
    flashBuildId: await create(`finalizeFlashArtifactUpload(input: ${final})`),
    flashEnvironmentId: await create(`createFlashEnvironment(input: ${input})`),
  };
}

const CREDENTIALS = { name: "alpha", username: "alpha", password: "alpha" };

async function jobsIn(
  alpha: (path: string, body: object) => Promise<{ id: string }>,
  endpointId: string,
) {
  const job = await alpha(`/v2/${endpointId}/run`, { input: { a: "alpha" } });
  const operation = await alpha("/v1/job-operations", {
    action: "cancel",
    filter: { endpointId, status: "IN_PROGRESS" },
  });
  const batch = await alpha("/v1/batches", { endpointId, items: [{ input: { a: "alpha" } }] });
  const daily = { endpointId, name: "alpha", cron: "@daily", input: { a: "alpha" } };
  const schedule = await alpha("/v1/schedules", daily);
  return {
    jobId: job.id,
    batchId: batch.id,
    jobOperationId: operation.id,
    scheduleId: schedule.id,
    version: "1",
  };
}

async function ruleIn(alpha: (path: string, body: object) => Promise<{ id: string }>) {
  // Nothing listens there, so that the test fails at once.
  const channel = { type: "webhook", url: "http://127.0.0.1:9/alpha" };
  const rule = { name: "alpha", events: ["pod_ended"], channel };
  const { id: notificationRuleId } = await alpha("/v1/notification-rules", rule);
  const { id } = await alpha(`/v1/notification-rules/${notificationRuleId}/test`, {});
  return { notificationRuleId, notificationId: id };
}

const VOLUME = { size: 1, dataCenterId: "EU-RO-1" };
const PLAN = { gpuTypeId: "NVIDIA A40", planLength: "threeMonth" };

async function furnish(service: TestService, make: Make, key: string): Promise<Ids> {
  const alpha = (path: string, body: object) => make(key, path, body);
  const template = await alpha("/v1/templates", { name: "alpha", imageName: "alpha" });
  const endpoint = await endpointIn(make, key, "alpha endpoint");
  const worker = await service.makeWorker(endpoint.id);
  const jobs = await jobsIn(alpha, endpoint.id);
  const volume = await alpha("/v1/networkvolumes", { ...VOLUME, name: "alpha" });
  const auth = await alpha("/v1/containerregistryauth", CREDENTIALS);
  const invited = { email: "alpha@example.org", role: "dev" };
  const { token } = (await alpha("/v1/invitations", invited)) as unknown as { token: string };
  const { member } = (await alpha("/v1/invitations/accept", { token })) as unknown as {
    member: { id: string };
  };
  const invitation = await alpha("/v1/invitations", invited);
  const limit = { name: "alpha", period: "month", limit: 1, endpointId: endpoint.id };
  const budget = await alpha("/v1/budgets", limit);
  const rule = await ruleIn(alpha);
  const plan = await alpha("/v1/savings-plans", PLAN);
  const pod = await alpha("/v1/pods", { ...POD, name: "alpha", imageName: "alpha" });
  const settings = { name: "alpha member", imageName: "alpha", driver: "simulated", volumeInGb: 0 };
  const cluster = await alpha("/v2/clusters", {
    name: "alpha",
    type: "TRAINING",
    compute: { gpuTypeId: "NVIDIA A40", gpuCountPerPod: 1, podCount: 2 },
    templateId: (await alpha("/v1/templates", settings)).id,
  });
  const sandbox = await sandboxIn(alpha);
  const session = await service.call("POST", "/v1/session", { key });
  const asAlpha = { authorization: `Bearer ${key}` };
  const pods = podsOf({ call: (method, path) => service.call(method, path, undefined, asAlpha) });
  await until(pods.reached, pod.id);
  return {
    templateId: template.id,
    endpointId: endpoint.id,
    workerId: worker.id,
    ...jobs,
    networkVolumeId: volume.id,
    containerRegistryAuthId: auth.id,
    registryId: auth.id,
    delegationId: "alpha",
    buildId: "alpha",
    gpuTypeName: "NVIDIA%20A40",
    cpuFlavorName: "cpu3c",
    dataCenterName: "EU-RO-1",
    secretId: (await alpha("/v1/secrets", { name: "alpha", value: "alpha value" })).id,
    ...(await makeFlashApp(alpha)),
    sshKeyId: (await alpha("/v1/ssh-keys", { publicKey: `${SSH_KEY} alpha` })).id,
    deviceLoginId: "fhl_guess",
    faultName: "webhook-slow",
    s3KeyId: (await alpha("/v1/s3-keys", { name: "alpha" })).id,
    keyId: (await alpha("/v1/keys", { name: "alpha" })).id,
    budgetId: budget.id,
    savingsPlanId: plan.id,
    ...rule,
    memberId: member.id,
    ...(await shareIn(alpha)),
    projectId: (await alpha("/v1/projects", { name: "alpha", memberIds: [member.id] })).id,
    invitationId: invitation.id,
    podId: pod.id,
    clusterId: cluster.id,
    sandboxId: sandbox.id,
    sessionId: session.json.sessionId,
    machineId: service.service.replica.machine,
    installationId: "anotherone",
    id: jobs.jobId,
    n: "1",
    file: "graphiql.js",
    "*": "v1/models",
  };
}

async function shareIn(alpha: (path: string, body: object) => Promise<{ id: string }>) {
  const time = { from: hoursAhead(24), until: hoursAhead(25) };
  const body = { gpuTypeId: "NVIDIA A40", note: "alpha", ...time };
  const exemption = await alpha("/v1/exemptions", { label: "team=alpha", reason: "alpha" });
  return { reservationId: (await alpha("/v1/reservations", body)).id, exemptionId: exemption.id };
}

const hoursAhead = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

/** An answer without what grows by itself: the durations of a job's history and of a Pod, and the use of GPUs. */
export const withoutGrowth = (text: string) =>
  text.replace(/"story":"[^"]*"|"uptimeSeconds":\d+|"gpuHours":[\d.]+,"part":[\d.]+/g, "");
