// Releases an image on an endpoint: creates the endpoint and its template, or changes the template, which is
// a new release.

import { Refusal, UsageError } from "../../base/refusal.ts";
import type { Endpoint } from "../../contract/rest-v1/endpoint/endpoint.ts";
import type { EndpointUpdate } from "../../contract/rest-v1/endpoint/endpoint-write.ts";
import type { Template, TemplateUpdate } from "../../contract/rest-v1/template/template.ts";
import { call } from "../client/api.ts";
import type { RunningService } from "../client/running-service.ts";

/** Members that are undefined stay as they are, or take the API's default for a new endpoint. */
export interface Deployment {
  name: string;
  image: string;
  /** Added to the variables of the endpoint that is there. */
  env: Record<string, string>;
  gpuTypeIds: string[] | undefined;
  gpuCount: number | undefined;
  workersMin: number | undefined;
  workersMax: number | undefined;
  containerDiskInGb: number | undefined;
  containerRegistryAuthId: string | undefined;
}

export interface Released {
  endpoint: Endpoint;
  change: "created" | "released" | "unchanged";
}

export async function release(service: RunningService, deployment: Deployment): Promise<Released> {
  const all = await call(service, "GET /v1/endpoints");
  const [endpoint, ...more] = all.filter(({ name }) => name === deployment.name);
  if (more.length > 0) {
    throw new UsageError(
      `${more.length + 1} endpoints are named "${deployment.name}"; choose a --name`,
    );
  }
  return endpoint ? update(service, endpoint, all, deployment) : create(service, deployment);
}

async function create(service: RunningService, deployment: Deployment): Promise<Released> {
  const { name, image, env } = deployment;
  const templateName = `deploy ${name}`;
  // A run that ended between the two leaves a template, which is used again.
  const templates = await call(service, "GET /v1/templates", {
    query: { includeEndpointBoundTemplates: true },
  });
  const left = templates.find((each) => each.name === templateName);
  const fields = { imageName: image, env, ...templateFields(deployment) };
  const { id: templateId } = left
    ? await call(service, "PATCH /v1/templates/{templateId}", {
        params: { templateId: left.id },
        body: fields,
      })
    : await call(service, "POST /v1/templates", {
        body: { name: templateName, isServerless: true, ...fields },
      });
  const computeType = deployment.gpuTypeIds || deployment.gpuCount ? "GPU" : "CPU";
  const body = {
    name,
    templateId,
    computeType,
    ...scale(deployment),
    ...gpus(deployment),
  } as const;
  return { endpoint: await call(service, "POST /v1/endpoints", { body }), change: "created" };
}

async function update(
  service: RunningService,
  before: Endpoint,
  all: readonly Endpoint[],
  deployment: Deployment,
): Promise<Released> {
  const { id: endpointId, templateId, computeType } = before;
  const shared = all.find((each) => each.templateId === templateId && each.id !== endpointId);
  if (shared) {
    throw new Refusal(
      `the template of endpoint ${endpointId} is also that of ${shared.id}; choose another --name`,
    );
  }
  if (computeType === "CPU" && (deployment.gpuTypeIds || deployment.gpuCount)) {
    throw new Refusal(
      `endpoint ${endpointId} runs on CPUs, which cannot change; choose another --name`,
    );
  }
  const current = await call(service, "GET /v1/templates/{templateId}", { params: { templateId } });
  const body = templateChanges(current, deployment);
  if (Object.keys(body).length > 0) {
    await call(service, "PATCH /v1/templates/{templateId}", { params: { templateId }, body });
  }
  const changes: EndpointUpdate = { ...scale(deployment), ...gpus(deployment) };
  const params = { endpointId };
  const endpoint =
    Object.keys(changes).length > 0
      ? await call(service, "PATCH /v1/endpoints/{endpointId}", { params, body: changes })
      : await call(service, "GET /v1/endpoints/{endpointId}", { params });
  return { endpoint, change: endpoint.version === before.version ? "unchanged" : "released" };
}

/** Only what differs, because every write of a member is a release. */
function templateChanges(current: Template, deployment: Deployment): TemplateUpdate {
  const env = { ...current.env, ...deployment.env };
  const desired = { imageName: deployment.image, env, ...templateFields(deployment) };
  const isDifferent = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(current[name as keyof Template]);
  return Object.fromEntries(Object.entries(desired).filter(isDifferent));
}

const templateFields = ({ containerDiskInGb, containerRegistryAuthId }: Deployment) => ({
  ...(containerDiskInGb !== undefined && { containerDiskInGb }),
  ...(containerRegistryAuthId !== undefined && { containerRegistryAuthId }),
});

const scale = ({ workersMin, workersMax }: Deployment) => ({
  ...(workersMin !== undefined && { workersMin }),
  ...(workersMax !== undefined && { workersMax }),
});

const gpus = ({ gpuTypeIds, gpuCount }: Deployment) => ({
  ...(gpuTypeIds && { gpuTypeIds }),
  ...(gpuCount !== undefined && { gpuCount }),
});
