// The pages of the console, and a house with something of everything to show on them.

import type { TestHouse } from "../house.ts";

export interface Furniture {
  podId: string;
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
  return { podId: first.id };
}

export interface Place {
  at: string;
  /** A text that is there once the page has all it shows. */
  shows: string;
}

export function places(_ids: Furniture): Place[] {
  return [
    { at: "/", shows: "vCPU" },
    { at: "/pods", shows: "trainer" },
  ];
}
