// Visits of every page of the console, and a service with sample data to show on them.

import { type PathName, paths } from "../../console/src/paths.ts";
import type { TestService } from "../fixtures/service/service.ts";
import { ask } from "../graphql/ask.ts";
import { build } from "../graphql/flash.ts";

export interface SampleIds {
  podId: string;
  volumeId: string;
  clusterId: string;
  sandboxId: string;
  flashAppId: string;
  jobId: string;
  workerId: string;
  scheduleId: string;
  batchId: string;
  machineId: string;
}

export async function createSampleData(service: TestService): Promise<SampleIds> {
  const networkVolumeId = await createVolume(service);
  await createFiles(service, networkVolumeId);
  const pod = (name: string, imageName: string, more = {}) =>
    service.call("POST", "/v1/pods", {
      ...more,
      name,
      imageName,
      driver: "simulated",
      ports: ["8888/http", "6006/http", "22/tcp"],
    });
  const { json: trainer } = await pod("trainer", "pytorch/pytorch:2.8.0-cuda12.8-cudnn9-runtime", {
    templateId: "pytorch",
  });
  await pod("notebook", "quay.io/jupyter/base-notebook:2026-01-05", {
    networkVolumeId,
    dockerStartCmd: ["simulate", "--volume-mb", "18000"],
  });
  const { json: stopped } = await pod("embeddings", "ghcr.io/acme/embeddings:1.2");
  await service.call("POST", `/v1/pods/${stopped.id}/stop`);
  await service.makeEndpoint({ id: "imaging" });
  const { json: job } = await service.call("POST", "/v2/imaging/run", {
    input: { prompt: "A hill" },
  });
  const { id: workerId } = await service.makeWorker("imaging");
  await createAccountData(service);
  const others = { ...(await createGroups(service)), flashAppId: await createFlashApp(service) };
  const ids = { jobId: job.id as string, workerId, scheduleId: await createSchedules(service) };
  const batchId = await createBatch(service);
  const {
    json: [{ id: machineId }],
  } = await service.call("GET", "/v1/machines");
  return { podId: trainer.id, volumeId: networkVolumeId, batchId, machineId, ...others, ...ids };
}

async function createBatch({ call }: TestService): Promise<string> {
  const items = ["A lake", "A forest", "A city"].map((prompt) => ({ input: { prompt } }));
  const webhook = "http://127.0.0.1:9/hook"; // nothing listens there
  const { json } = await call("POST", "/v1/batches", { endpointId: "imaging", items, webhook });
  return json.id;
}

async function createSchedules({ call }: TestService): Promise<string> {
  const schedule = { endpointId: "imaging", input: { prompt: "A hill" } };
  const nightly = { name: "nightly", cron: "0 2 * * *", timeZone: "Europe/Berlin" };
  const { json } = await call("POST", "/v1/schedules", { ...schedule, ...nightly });
  await call("POST", "/v1/schedules", {
    ...schedule,
    name: "thumbnails",
    cron: "*/15 * * * *",
    paused: true,
  });
  return json.id;
}

async function createGroups({ call }: TestService) {
  const image = { name: "trainer", imageName: "ghcr.io/acme/trainer:3", driver: "simulated" };
  const { json: template } = await call("POST", "/v1/templates", { ...image, volumeInGb: 0 });
  const { json: cluster } = await call("POST", "/v2/clusters", {
    name: "llama-finetune",
    type: "TRAINING",
    compute: { gpuTypeId: "NVIDIA A40", podCount: 2, gpuCountPerPod: 1 },
    templateId: template.id,
  });
  const { json: sandbox } = await call("POST", "/v2/sandboxes", {
    name: "agent-42",
    labels: { run: "42", team: "search" },
    templateId: template.id,
  });
  return { clusterId: cluster.id as string, sandboxId: sandbox.id as string };
}

async function createFlashApp(service: TestService): Promise<string> {
  const { app } = await ask(
    service,
    'mutation { app: createFlashApp(input: {name: "shop"}) { id } }',
  );
  for (const name of ["production", "dev"]) {
    const input = { flashAppId: app.id, name };
    await ask(
      service,
      "mutation ($input: CreateFlashEnvironmentInput!) { createFlashEnvironment(input: $input) { id } }",
      { input },
    );
  }
  await build(service, app.id);
  return app.id;
}

const SSH_KEY =
  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl ada@example.org";

async function createVolume({ call }: TestService): Promise<string> {
  const { json: centers } = await call("GET", "/v1/catalog/data-centers");
  const body = { name: "models", size: 50, dataCenterId: centers[0].id };
  return (await call("POST", "/v1/networkvolumes", body)).json.id;
}

/** Before a Pod uses the volume, so that it is on this machine. */
async function createFiles({ origin, key }: TestService, volumeId: string): Promise<void> {
  const files = {
    "checkpoints/step-1000/model.safetensors": "weights".repeat(20_000),
    "datasets/captions.jsonl": '{"text": "A hill"}\n',
    "config.yaml": "model: llama-3.1-8b\nlearning_rate: 2e-5\nsteps: 1000\n",
    "README.md": "# Fine-tuning\n\nCheckpoints are in checkpoints/, one folder per step.\n",
  };
  for (const [name, body] of Object.entries(files)) {
    const headers = { authorization: `Bearer ${key}` };
    const { status } = await fetch(`${origin}/s3/${volumeId}/${name}`, {
      method: "PUT",
      headers,
      body,
    });
    if (status !== 200) throw new Error(`${name} was not stored: ${status}`);
  }
}

async function createAccountData({ call }: TestService): Promise<void> {
  await call("POST", "/v1/secrets", { name: "hf_token", value: "hf_abc", description: "Models" });
  await call("POST", "/v1/containerregistryauth", {
    name: "ghcr",
    username: "acme",
    password: "token",
  });
  await call("POST", "/v1/ssh-keys", { publicKey: SSH_KEY });
  await call("POST", "/v1/s3-keys", { name: "laptop" });
  await call("POST", "/v1/budgets", { name: "Monthly limit", period: "month", limit: 100 });
  const { json: rule } = await call("POST", "/v1/notification-rules", {
    name: "On call",
    events: ["pod_ended", "jobs_failing", "budget_spent"],
    channel: { type: "webhook", url: "http://127.0.0.1:9/hook" }, // nothing listens there
  });
  await call("POST", `/v1/notification-rules/${rule.id}/test`);
  await call("POST", "/v1/reservations", {
    gpuTypeId: "NVIDIA A40",
    gpuCount: 2,
    note: "Fine-tuning for the paper",
    until: new Date(Date.now() + 36 * 3_600_000).toISOString(),
  });
  await call("POST", "/v1/invitations", { email: "grace@example.org", role: "dev" });
  const { json: invitation } = await call("POST", "/v1/invitations", {
    email: "ada@example.org",
    role: "member",
  });
  await call("POST", "/v1/invitations/accept", { token: invitation.token, name: "Ada Lovelace" });
}

export interface PageVisit {
  address: string;
  /** The name of its pictures. */
  name: string;
  /** A text that the page shows once it has loaded. */
  shows: string;
}

/** Pages that a signed-in user can open; sign-in, invitations, resets and device logins have tests of their own. */
type VisitedPath = Exclude<PathName, "signIn" | "invitation" | "passwordReset" | "deviceLogin">;

const visitsOf = ({
  jobId,
  workerId,
  batchId,
}: SampleIds): Record<VisitedPath, Omit<PageVisit, "address">> => ({
  overview: { name: "overview", shows: "vCPU" },
  pods: { name: "pods", shows: "trainer" },
  deployPod: { name: "deploy", shows: "per vCPU" },
  pod: { name: "pod", shows: "JupyterLab, port 8888" },
  clusters: { name: "clusters", shows: "llama-finetune" },
  cluster: { name: "cluster", shows: "MASTER_ADDR" },
  sandboxes: { name: "sandboxes", shows: "agent-42" },
  sandbox: { name: "sandbox", shows: "Maximum lifetime" },
  flashApps: { name: "flash-apps", shows: "production" },
  flashApp: { name: "flash-app", shows: "Builds" },
  endpoints: { name: "serverless", shows: "4 queued, 0 running" },
  newEndpoint: { name: "endpoint-new", shows: "A30" },
  endpoint: { name: "endpoint", shows: "Configuration" },
  editEndpoint: { name: "endpoint-edit", shows: "No changes yet" },
  endpointRequest: { name: "request", shows: "Code example" },
  endpointJobs: { name: "endpoint-jobs", shows: jobId },
  endpointBatches: { name: "endpoint-batches", shows: batchId },
  endpointWorkers: { name: "endpoint-workers", shows: workerId },
  endpointSchedules: { name: "endpoint-schedules", shows: "nightly" },
  endpointReleases: { name: "releases", shows: "Version 1" },
  batches: { name: "batches", shows: batchId },
  batch: { name: "batch", shows: "Called when all jobs have ended." },
  schedules: { name: "schedules", shows: "thumbnails" },
  schedule: { name: "schedule", shows: "It has not run yet" },
  jobs: { name: "jobs", shows: jobId },
  job: { name: "job", shows: "Timeline" },
  worker: { name: "worker", shows: "Details" },
  storage: { name: "storage", shows: "of 50 GB" },
  volumeFiles: { name: "volume-files", shows: "config.yaml" },
  templates: { name: "templates", shows: "Official templates" },
  secrets: { name: "secrets", shows: "hf_token" },
  registries: { name: "registries", shows: "ghcr" },
  sshKeys: { name: "ssh-keys", shows: "ada@example.org" },
  billing: { name: "billing", shows: "Monthly limit" },
  breakdown: { name: "breakdown", shows: "to the micro-dollar" },
  keys: { name: "keys", shows: "Active" },
  s3Keys: { name: "s3-keys", shows: "aws --endpoint-url" },
  members: { name: "members", shows: "grace@example.org" },
  projects: { name: "projects", shows: "No projects yet" },
  reservations: { name: "reservations", shows: "Fine-tuning" },
  quotas: { name: "quotas", shows: "Default of a member" },
  notifications: { name: "notifications", shows: "the connection was refused" },
  audit: { name: "audit", shows: "createBudget" },
  settings: { name: "settings", shows: "This session" },
  machines: { name: "machines", shows: "vCPU" },
  machine: { name: "machine", shows: "Pods of your account" },
  prices: { name: "prices", shows: "Disks and volumes" },
  accounts: { name: "accounts", shows: "Active" },
});

const podTabs: Omit<PageVisit, "address">[] = [
  { name: "pod-logs", shows: "Live" },
  { name: "pod-metrics", shows: "Memory" },
  { name: "pod-events", shows: "Created" },
  { name: "pod-settings", shows: "Save changes" },
];

export function pageVisits(ids: SampleIds): PageVisit[] {
  const visits = visitsOf(ids);
  const parameters = {
    ...ids,
    endpointId: "imaging",
    tab: "",
    kind: "pods",
    resourceId: ids.podId,
  };
  const pages = (Object.keys(visits) as VisitedPath[]).map((path) => ({
    ...visits[path],
    address: fillIn(paths[path], parameters),
  }));
  const tabs = podTabs.map((visit) => ({
    ...visit,
    address: fillIn(paths.pod, { ...parameters, tab: visit.name.replace("pod-", "") }),
  }));
  return [...pages, ...tabs];
}

/** An address with its parameters: "/jobs/$jobId" and "/pods/$podId/{-$tab}"; a rest, "$", is empty. */
function fillIn(path: string, parameters: Record<string, string>): string {
  const address = path
    .replace(/\$$/, "")
    .replace(/\{-\$(\w+)\}|\$(\w+)/g, (_, optional, required) => {
      return parameters[optional ?? required]!;
    });
  return address === "/" ? address : address.replace(/\/$/, "");
}
