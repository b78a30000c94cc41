// Endpoint inputs as the REST interface's bodies, so that both are validated by the same schema.

import {
  type EndpointCreate,
  type EndpointUpdate,
  endpointCreate,
  endpointUpdate,
} from "../../../contract/rest-v1/endpoint/endpoint-write.ts";
import type { Catalog } from "../../../domain/catalog/catalog.ts";
import { workerInstanceOf } from "../../../domain/catalog/cpu-instance.ts";
import { gpuTypesIn } from "../../../domain/catalog/gpu-ids.ts";
import { dataCentersIn } from "../../../domain/catalog/locations.ts";
import { Fault } from "../../../domain/fault.ts";
import { bodyReader } from "../../management/serve/read-body.ts";
import { takeFields } from "../../management/serve/take-fields.ts";
import { labelsObject, presentFields, presentItems, splitList } from "../schema/input.ts";
import type { EndpointInput } from "../schema/types.generated.ts";

/** saveEndpoint resets these fields when they are left out; clients rely on it. Every other field stays. */
const SAVE_DEFAULTS = { workersMax: 3, idleTimeout: 10, scalerValue: 4 };

/** The fields that this file and its callers read one by one; all others have the names and the form of REST v1. */
const ownForm = {
  id: true,
  allowedCudaVersions: true,
  bindEndpoint: true,
  compliance: true,
  env: true,
  flashBootType: true,
  flashEnvironmentId: true,
  gpuIds: true,
  hubReleaseId: true,
  instanceIds: true,
  labels: true,
  locations: true,
  modelName: true,
  modelReferences: true,
  networkVolumeId: true,
  networkVolumeIds: true,
  repo: true,
  template: true,
  templateId: true,
  volumes: true,
  workersPFBTarget: true,
} satisfies Partial<Record<keyof EndpointInput, true>>;

const readCreateBody = bodyReader(endpointCreate, undefined);
const readUpdateBody = bodyReader(endpointUpdate, undefined);

export function newEndpointFrom(
  catalog: Catalog,
  input: EndpointInput,
  templateId: string,
): EndpointCreate & GraphqlOnly {
  const body = restBody(catalog, input);
  const workersMax = Math.max(SAVE_DEFAULTS.workersMax, input.workersMin ?? 0);
  const cpu = runsOnCpu(input) ? { computeType: "CPU" } : {};
  const settings = { ...SAVE_DEFAULTS, workersMax, ...body, ...cpu, templateId };
  return { ...readCreateBody(settings), ...graphqlOnly(input) };
}

export function endpointChangesFrom(
  catalog: Catalog,
  input: EndpointInput,
): EndpointUpdate & GraphqlOnly {
  const { templateId } = presentFields(input);
  const body = { ...SAVE_DEFAULTS, ...restBody(catalog, input), ...(templateId && { templateId }) };
  return { ...readUpdateBody(body), ...graphqlOnly(input) };
}

interface GraphqlOnly {
  /** The text as it was sent, beside the data centers that it stands for. */
  locations?: string;
  flashEnvironmentId?: string;
}

function graphqlOnly(input: EndpointInput): GraphqlOnly {
  const { locations, flashEnvironmentId } = presentFields(input);
  return {
    ...(locations !== undefined && { locations: locations.trim() }),
    ...(flashEnvironmentId && { flashEnvironmentId }),
  };
}

const runsOnCpu = ({ instanceIds }: EndpointInput) => presentItems(instanceIds).length > 0;

function restBody(catalog: Catalog, input: EndpointInput): Record<string, unknown> {
  refuseUnsupported(input);
  const present = presentFields(input);
  const [, plain] = takeFields(present, ownForm);
  const [settings, rest] = takeFields(plain, endpointUpdate.properties);
  rest satisfies Record<string, never>;
  const { gpuIds, labels, locations, allowedCudaVersions, flashBootType } = present;
  const volumes = presentItems([
    present.networkVolumeId,
    ...(input.networkVolumeIds ?? []).map((each) => each?.networkVolumeId),
  ]);
  return {
    ...settings,
    ...(labels && { labels: labelsObject(labels) }),
    ...(gpuIds !== undefined && { gpuTypeIds: gpuTypesIn(catalog, gpuIds) }),
    ...(locations !== undefined && { dataCenterIds: dataCentersIn(catalog, splitList(locations)) }),
    ...(allowedCudaVersions !== undefined && {
      allowedCudaVersions: splitList(allowedCudaVersions),
    }),
    ...(flashBootType !== undefined && { flashboot: flashBootType !== "OFF" }),
    ...(runsOnCpu(input) && workerInstanceOf(catalog, presentItems(input.instanceIds))),
    ...(volumes.length > 0 && { networkVolumeIds: [...new Set(volumes)] }),
    ...modelsIn(input),
  };
}

/** The older `modelName` is one more reference. */
function modelsIn({ modelReferences, modelName }: EndpointInput): { modelReferences?: string[] } {
  if (!modelReferences && !modelName) return {};
  return { modelReferences: presentItems([...(modelReferences ?? []), modelName]) };
}

function refuseUnsupported(input: EndpointInput): void {
  const { bindEndpoint, compliance, env, flashBootType, volumes, workersPFBTarget } = input;
  const unsupported: [isRequested: boolean, sentence: string][] = [
    [
      (compliance ?? []).length > 0,
      'Machines here declare no certifications; leave "compliance" out or empty.',
    ],
    [
      (env ?? []).length > 0,
      'An endpoint has its template\'s variables; put "env" into the template.',
    ],
    [
      bindEndpoint === true,
      'A template given inline is bound to its endpoint; leave "bindEndpoint" out.',
    ],
    [
      flashBootType === "PRIORITY_FLASHBOOT",
      'Workers are not kept for a priority start; give "flashBootType" FLASHBOOT or OFF.',
    ],
    [Boolean(input.repo), 'Images are not built here; leave "repo" out.'],
    [Boolean(input.hubReleaseId), 'There is no hub here; leave "hubReleaseId" out.'],
    [
      (volumes ?? []).some((each) => each !== null),
      'There are no global volumes here; attach a network volume by "networkVolumeIds".',
    ],
    [
      (workersPFBTarget ?? 0) > 0,
      'Workers here start the same either way; leave "workersPFBTarget" out.',
    ],
  ];
  const sentences = unsupported.filter(([isRequested]) => isRequested).map(([, text]) => text);
  if (sentences.length > 0) throw new Fault("not_offered", { detail: sentences.join(" ") });
}
