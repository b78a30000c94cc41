// What a new or changed endpoint is asked for, in the form of the management interface.

import {
  type EndpointCreate,
  type EndpointUpdate,
  endpointCreate,
  endpointUpdate,
} from "../../contract/rest-v1/endpoint.ts";
import type { Catalog } from "../../domain/catalog/catalog.ts";
import { instanceOf } from "../../domain/catalog/cpu-instance.ts";
import { gpuTypesIn } from "../../domain/catalog/gpu-ids.ts";
import { dataCentersIn } from "../../domain/catalog/locations.ts";
import { Fault } from "../../domain/fault.ts";
import { bodyReader } from "../rest-v1/read-body.ts";
import { given, parts, type Variable } from "./given.ts";
import type { TemplateInput } from "./template-wishes.ts";

export interface EndpointInput {
  id?: string | null;
  name: string;
  allowedCudaVersions?: string | null;
  bindEndpoint?: boolean | null;
  compliance?: string[] | null;
  env?: (Variable | null)[] | null;
  executionTimeoutMs?: number | null;
  flashBootType?: "FLASHBOOT" | "OFF" | "PRIORITY_FLASHBOOT" | null;
  flashEnvironmentId?: string | null;
  gpuCount?: number | null;
  gpuIds?: string | null;
  hubReleaseId?: string | null;
  idleTimeout?: number | null;
  instanceIds?: (string | null)[] | null;
  locations?: string | null;
  minCudaVersion?: string | null;
  modelName?: string | null;
  modelReferences?: (string | null)[] | null;
  networkVolumeId?: string | null;
  networkVolumeIds?: ({ networkVolumeId?: string | null } | null)[] | null;
  repo?: object | null;
  scalerType?: string | null;
  scalerValue?: number | null;
  template?: Omit<TemplateInput, "id" | "category" | "isPublic" | "isServerless"> | null;
  templateId?: string | null;
  type?: string | null;
  workersMax?: number | null;
  workersMin?: number | null;
  workersPFBTarget?: number | null;
}

/** What is not said when an endpoint is saved goes back to these; all else stays as it is. */
const saved = { workersMax: 3, idleTimeout: 10, scalerValue: 4 };

const readNew = bodyReader(endpointCreate, undefined);
const readChanges = bodyReader(endpointUpdate, undefined);

export function newEndpointOf(
  catalog: Catalog,
  input: EndpointInput,
  templateId: string,
): EndpointCreate {
  const asked = wishesOf(catalog, input);
  const workersMax = Math.max(saved.workersMax, input.workersMin ?? 0);
  const cpu = isOnCpu(input) ? { computeType: "CPU" } : {};
  return readNew({ ...saved, workersMax, ...asked, ...cpu, templateId }) as EndpointCreate;
}

export function endpointChangesOf(catalog: Catalog, input: EndpointInput): EndpointUpdate {
  const { templateId } = given(input);
  const body = { ...saved, ...wishesOf(catalog, input), ...(templateId && { templateId }) };
  return readChanges(body) as EndpointUpdate;
}

const isOnCpu = ({ instanceIds }: EndpointInput) => listed(instanceIds).length > 0;

function wishesOf(catalog: Catalog, input: EndpointInput): Record<string, unknown> {
  refuseWhatIsNotOffered(input);
  const { gpuIds, locations, allowedCudaVersions, flashBootType, networkVolumeId, ...rest } =
    given(input);
  const volumes = [
    networkVolumeId,
    ...(input.networkVolumeIds ?? []).map((each) => each?.networkVolumeId),
  ].filter((id): id is string => Boolean(id));
  const { name, executionTimeoutMs, gpuCount, idleTimeout, minCudaVersion } = rest;
  const { scalerType, scalerValue, type, workersMax, workersMin } = rest;
  const same = { name, executionTimeoutMs, gpuCount, idleTimeout, minCudaVersion };
  const scaling = { scalerType, scalerValue, type, workersMax, workersMin };
  return {
    ...given({ ...same, ...scaling }),
    ...(gpuIds !== undefined && { gpuTypeIds: gpuTypesIn(catalog, gpuIds) }),
    ...(locations !== undefined && { dataCenterIds: dataCentersIn(catalog, parts(locations)) }),
    ...(allowedCudaVersions !== undefined && { allowedCudaVersions: parts(allowedCudaVersions) }),
    ...(flashBootType !== undefined && { flashboot: flashBootType !== "OFF" }),
    ...(isOnCpu(input) && instanceOf(catalog, listed(input.instanceIds))),
    ...(volumes.length > 0 && { networkVolumeIds: [...new Set(volumes)] }),
    ...(input.modelReferences && { modelReferences: listed(input.modelReferences) }),
  };
}

function listed(ids: readonly (string | null)[] | null | undefined): string[] {
  return (ids ?? []).filter((id): id is string => Boolean(id));
}

function refuseWhatIsNotOffered(input: EndpointInput): void {
  const { compliance, env, workersPFBTarget } = input;
  const asked: [boolean, string][] = [
    [
      (compliance ?? []).length > 0,
      'Machines here declare no certifications; leave "compliance" out or empty.',
    ],
    [
      (env ?? []).length > 0,
      'An endpoint has its template\'s variables; put "env" into the template.',
    ],
    [Boolean(input.repo), 'Images are not built here; leave "repo" out.'],
    [Boolean(input.hubReleaseId), 'There is no hub here; leave "hubReleaseId" out.'],
    [Boolean(input.flashEnvironmentId), 'Flash is not offered; leave "flashEnvironmentId" out.'],
    [Boolean(input.modelName), 'Models are not offered yet; leave "modelName" out.'],
    [
      (workersPFBTarget ?? 0) > 0,
      'Workers here start the same either way; leave "workersPFBTarget" out.',
    ],
  ];
  const refused = asked.filter(([wanted]) => wanted).map(([, sentence]) => sentence);
  if (refused.length > 0) throw new Fault("not_offered", { detail: refused.join(" ") });
}
