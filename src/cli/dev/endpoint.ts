// The endpoint behind `freehold dev`, created and changed over REST like any client's. An endpoint
// left over from an earlier run is reused, so that its address stays the same.

import type { Endpoint } from "../../contract/rest-v1/endpoint/endpoint.ts";
import type { Template } from "../../contract/rest-v1/template/template.ts";
import type { RunningService } from "../client/running-service.ts";
import { ask } from "../client/service-request.ts";
import type { DevPlan } from "./plan.ts";

/** Counts the saves. A change makes a new release, and so a fresh worker. */
const SAVE = "FREEHOLD_DEV_SAVE";

export interface DevEndpoint {
  id: string;
  templateId: string;
  /** The number of the save that new workers run. */
  save: number;
}

export async function openEndpoint(service: RunningService, plan: DevPlan): Promise<DevEndpoint> {
  const left = await leftover(service, plan);
  const save = Number(left?.template.env[SAVE] ?? 0) + 1;
  const template = templateOf(plan, save);
  if (!left) {
    const { id } = (await ask(service, "POST", "/v1/templates", template)) as Template;
    return { id: await makeEndpoint(service, plan, id), templateId: id, save };
  }
  const templateId = left.template.id;
  const { isServerless, ...changes } = template;
  await ask(service, "PATCH", `/v1/templates/${templateId}`, changes);
  if (!left.endpoint)
    return { id: await makeEndpoint(service, plan, templateId), templateId, save };
  await ask(service, "PATCH", `/v1/endpoints/${left.endpoint.id}`, scaleOf(plan));
  return { id: left.endpoint.id, templateId, save };
}

/** Releases a fresh worker. The old one serves until it is ready. */
export async function releaseSave(
  service: RunningService,
  plan: DevPlan,
  at: DevEndpoint,
): Promise<void> {
  at.save += 1;
  const { env } = templateOf(plan, at.save);
  await ask(service, "PATCH", `/v1/templates/${at.templateId}`, { env });
}

/** Cancels queued jobs, lets running ones finish, and deletes the endpoint. */
export async function removeEndpoint(service: RunningService, at: DevEndpoint): Promise<void> {
  await ask(service, "DELETE", `/v1/endpoints/${at.id}`);
  await ask(service, "DELETE", `/v1/templates/${at.templateId}`);
}

/** Keeps the endpoint, without a worker while there is no work. */
export async function leaveEndpoint(service: RunningService, at: DevEndpoint): Promise<void> {
  await ask(service, "PATCH", `/v1/endpoints/${at.id}`, { workersMin: 0 });
}

async function leftover(service: RunningService, { templateName }: DevPlan) {
  const query = "includeEndpointBoundTemplates=true";
  const templates = (await ask(service, "GET", `/v1/templates?${query}`)) as Template[];
  const template = templates.find(({ name }) => name === templateName);
  if (!template) return null;
  const endpoints = (await ask(service, "GET", "/v1/endpoints")) as Endpoint[];
  const endpoint = endpoints.find(({ templateId }) => templateId === template.id);
  return { template, endpoint };
}

async function makeEndpoint(
  service: RunningService,
  plan: DevPlan,
  templateId: string,
): Promise<string> {
  const desired = { name: plan.name, templateId, computeType: "CPU", ...scaleOf(plan) };
  return ((await ask(service, "POST", "/v1/endpoints", desired)) as Endpoint).id;
}

/** One worker is always up: the first job finds it ready, and a failing start shows at once. */
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
    // A process starts in a folder of its own; a handler expects the folder it was written in.
    dockerEntrypoint: ["/bin/sh", "-c", 'cd "$0" && exec "$@"', cwd],
    dockerStartCmd: command,
    env: { ...env, [SAVE]: String(save) },
  };
}
