// The pages of the console, and a house with something of everything to show on them.

import type { TestHouse } from "../house.ts";

export interface Furniture {
  podId: string;
  jobId: string;
  workerId: string;
}

export async function furnish(house: TestHouse): Promise<Furniture> {
  const networkVolumeId = await makeVolume(house);
  const pod = (name: string, imageName: string, more = {}) =>
    house.call("POST", "/v1/pods", {
      ...more,
      name,
      imageName,
      driver: "fake",
      ports: ["8888/http", "22/tcp"],
    });
  const { json: first } = await pod("trainer", "pytorch/pytorch:2.8.0-cuda12.8-cudnn9-runtime");
  await pod("notebook", "quay.io/jupyter/base-notebook:2026-01-05", {
    networkVolumeId,
    dockerStartCmd: ["fake-worker", "--volume-mb", "18000"],
  });
  const { json: stopped } = await pod("embeddings", "ghcr.io/acme/embeddings:1.2");
  await house.call("POST", `/v1/pods/${stopped.id}/stop`);
  await house.makeEndpoint({ id: "imaging" });
  const { json: job } = await house.call("POST", "/v2/imaging/run", {
    input: { prompt: "A hill" },
  });
  const { id: workerId } = await house.makeWorker("imaging");
  await fillAccount(house);
  return { podId: first.id, jobId: job.id, workerId };
}

const SSH_KEY =
  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl ada@example.org";

async function makeVolume({ call }: TestHouse): Promise<string> {
  const { json: centers } = await call("GET", "/v1/catalog/data-centers");
  const body = { name: "models", size: 50, dataCenterId: centers[0].id };
  return (await call("POST", "/v1/networkvolumes", body)).json.id;
}

async function fillAccount({ call }: TestHouse): Promise<void> {
  await call("POST", "/v1/secrets", { name: "hf_token", value: "hf_abc", description: "Models" });
  await call("POST", "/v1/containerregistryauth", {
    name: "ghcr",
    username: "acme",
    password: "token",
  });
  await call("POST", "/v1/ssh-keys", { publicKey: SSH_KEY });
  await call("POST", "/v1/budgets", { name: "all of it", period: "month", limit: 100 });
  await call("POST", "/v1/invitations", { email: "grace@example.org", role: "dev" });
}

export interface Place {
  at: string;
  /** What its pictures are called. */
  name: string;
  /** A text that is there once the page has all it shows. */
  shows: string;
}

export function places({ podId, jobId, workerId }: Furniture): Place[] {
  return [
    { name: "overview", at: "/", shows: "vCPU" },
    { name: "pods", at: "/pods", shows: "trainer" },
    { name: "deploy", at: "/pods/deploy", shows: "RTX 4090" },
    { name: "pod", at: `/pods/${podId}`, shows: "Public ports" },
    { name: "pod-logs", at: `/pods/${podId}/logs`, shows: "Live" },
    { name: "pod-metrics", at: `/pods/${podId}/metrics`, shows: "Memory" },
    { name: "pod-events", at: `/pods/${podId}/events`, shows: "Made" },
    { name: "pod-settings", at: `/pods/${podId}/settings`, shows: "Save" },
    { name: "machines", at: "/machines", shows: "vCPU" },
    { name: "serverless", at: "/serverless", shows: "1 queued, 0 running" },
    { name: "endpoint-new", at: "/serverless/new", shows: "A30" },
    { name: "endpoint", at: "/serverless/imaging", shows: "How it is set" },
    { name: "endpoint-edit", at: "/serverless/imaging/edit", shows: "Nothing is changed yet" },
    { name: "request", at: "/serverless/imaging/request", shows: "From a program" },
    { name: "endpoint-jobs", at: "/serverless/imaging/jobs", shows: jobId },
    { name: "endpoint-workers", at: "/serverless/imaging/workers", shows: workerId },
    { name: "releases", at: "/serverless/imaging/releases", shows: "Version 1" },
    { name: "jobs", at: "/jobs", shows: jobId },
    { name: "job", at: `/jobs/${jobId}`, shows: "Timing" },
    { name: "worker", at: `/workers/${workerId}`, shows: "About it" },
    { name: "storage", at: "/storage", shows: "of 50 GB" },
    { name: "templates", at: "/templates", shows: "imaging" },
    { name: "secrets", at: "/secrets", shows: "hf_token" },
    { name: "registries", at: "/registries", shows: "ghcr" },
    { name: "ssh-keys", at: "/ssh-keys", shows: "ada@example.org" },
    { name: "billing", at: "/billing", shows: "all of it" },
    { name: "keys", at: "/keys", shows: "Open" },
    { name: "members", at: "/members", shows: "grace@example.org" },
    { name: "audit", at: "/audit", shows: "createBudget" },
    { name: "settings", at: "/settings", shows: "This one" },
    { name: "prices", at: "/prices", shows: "Disks and volumes" },
    { name: "accounts", at: "/accounts", shows: "Open" },
  ];
}
