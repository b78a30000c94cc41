// The endpoint behind `freehold dev`, made and changed over REST like any client's. A leftover of an
// earlier run is taken up again, so that its address stays the same.

import type { Endpoint } from "../../contract/rest-v1/endpoint.ts";
import type { Template } from "../../contract/rest-v1/template.ts";
import { ask } from "../cli/ask.ts";
import type { Service } from "../cli/service.ts";
import type { DevPlan } from "./plan.ts";

/** Counts the saves; a change of it is a release, and so a fresh worker. */
const SAVE = "FREEHOLD_DEV_SAVE";

export interface DevEndpoint {
  id: string;
  templateId: string;
  /** The number of the save that new workers run. */
  save: number;
}

export async function openEndpoint(service: Service, plan: DevPlan): Promise<DevEndpoint> {
  const left = await leftover(service, plan);
  const save = Number(left?.template.env[SAVE] ?? 0) + 1;
  const template = templateOf(plan, save);
  if (!left) {
    const made = (await ask(service, "POST", "/v1/templates", template)) as Template;
    return { id: await makeEndpoint(service, plan, made.id), templateId: made.id, save };
  }
  const templateId = left.template.id;
  const { isServerless, ...changes } = template;
  await ask(service, "PATCH", `/v1/templates/${templateId}`, changes);
  if (!left.endpoint)
    return { id: await makeEndpoint(service, plan, templateId), templateId, save };
  await ask(service, "PATCH", `/v1/endpoints/${left.endpoint.id}`, scaleOf(plan));
  return { id: left.endpoint.id, templateId, save };
}

/** A fresh worker: the old one serves until it is ready. */
export async function releaseSave(service: Service, plan: DevPlan, at: DevEndpoint): Promise<void> {
  at.save += 1;
  const { env } = templateOf(plan, at.save);
  await ask(service, "PATCH", `/v1/templates/${at.templateId}`, { env });
}

/** What queues is cancelled, what runs finishes, and nothing is left. */
export async function removeEndpoint(service: Service, at: DevEndpoint): Promise<void> {
  await ask(service, "DELETE", `/v1/endpoints/${at.id}`);
  await ask(service, "DELETE", `/v1/templates/${at.templateId}`);
}

/** It stays, but holds no worker while there is nothing to do. */
export async function leaveEndpoint(service: Service, at: DevEndpoint): Promise<void> {
  await ask(service, "PATCH", `/v1/endpoints/${at.id}`, { workersMin: 0 });
}

async function leftover(service: Service, { templateName }: DevPlan) {
  const query = "includeEndpointBoundTemplates=true";
  const templates = (await ask(service, "GET", `/v1/templates?${query}`)) as Template[];
  const template = templates.find(({ name }) => name === templateName);
  if (!template) return null;
  const endpoints = (await ask(service, "GET", "/v1/endpoints")) as Endpoint[];
  const endpoint = endpoints.find(({ templateId }) => templateId === template.id);
  return { template, endpoint };
}

async function makeEndpoint(service: Service, plan: DevPlan, templateId: string): Promise<string> {
  const wanted = { name: plan.name, templateId, computeType: "CPU", ...scaleOf(plan) };
  return ((await ask(service, "POST", "/v1/endpoints", wanted)) as Endpoint).id;
}

/** One worker is always there: the first job finds it ready, and what fails at its start shows. */
function scaleOf({ workers }: DevPlan) {
  const workersMin = Math.min(1, workers);
  return { workersMin, workersMax: workers, scalerType: "REQUEST_COUNT", scalerValue: 1 };
}

function templateOf({ templateName, command, cwd, env }: DevPlan, save: number) {
  return {
    name: templateName,
    imageName: "freehold/dev",
    driver: "process",
    isServerless: true,
    // A process starts in a folder of its own; a handler expects the one it was written in.
    dockerEntrypoint: ["/bin/sh", "-c", 'cd "$0" && exec "$@"', cwd],
    dockerStartCmd: command,
    env: { ...env, [SAVE]: String(save) },
  };
}
