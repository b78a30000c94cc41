// The pages of the console, and a house with something of everything to show on them.

import type { TestHouse } from "../house.ts";

export interface Furniture {
  podId: string;
  jobId: string;
  workerId: string;
}

export async function furnish(house: TestHouse): Promise<Furniture> {
  const pod = (name: string, imageName: string) =>
    house.call("POST", "/v1/pods", {
      name,
      imageName,
      driver: "fake",
      ports: ["8888/http", "22/tcp"],
    });
  const { json: first } = await pod("trainer", "pytorch/pytorch:2.8.0-cuda12.8-cudnn9-runtime");
  await pod("notebook", "quay.io/jupyter/base-notebook:2026-01-05");
  const { json: stopped } = await pod("embeddings", "ghcr.io/acme/embeddings:1.2");
  await house.call("POST", `/v1/pods/${stopped.id}/stop`);
  await house.makeEndpoint({ id: "imaging" });
  const { json: job } = await house.call("POST", "/v2/imaging/run", {
    input: { prompt: "A hill" },
  });
  const { id: workerId } = await house.makeWorker("imaging");
  return { podId: first.id, jobId: job.id, workerId };
}

export interface Place {
  at: string;
  /** A text that is there once the page has all it shows. */
  shows: string;
}

export function places({ jobId, workerId }: Furniture): Place[] {
  return [
    { at: "/", shows: "vCPU" },
    { at: "/pods", shows: "trainer" },
    { at: "/serverless", shows: "1 queued, 0 running" },
    { at: "/serverless/new", shows: "A30" },
    { at: "/serverless/imaging", shows: "How it is set" },
    { at: "/serverless/imaging/edit", shows: "Nothing is changed yet" },
    { at: "/serverless/imaging/request", shows: "From a program" },
    { at: "/serverless/imaging/jobs", shows: jobId },
    { at: "/serverless/imaging/workers", shows: workerId },
    { at: "/serverless/imaging/releases", shows: "Version 1" },
    { at: "/jobs", shows: jobId },
    { at: `/jobs/${jobId}`, shows: "Timing" },
    { at: `/workers/${workerId}`, shows: "About it" },
  ];
}
