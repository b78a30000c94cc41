// A client's request for a Pod, resolved to a complete spec: the request over its template over the
// defaults, in the catalog's spelling.

import { type Catalog, canonicalGpuType } from "../catalog/catalog.ts";
import { type Labels, noLabels } from "../label/labels.ts";
import type { TemplateSpec } from "../template/template.ts";
import type { OwnIdleRule } from "../usage/idle-policy.ts";
import type { MaxLifetime } from "../usage/lifetime.ts";
import { defaultSpec, type PodSpec } from "./spec.ts";

/** An omitted or null setting has its default. */
export type PodRequest = { [Name in keyof PodSpec]?: PodSpec[Name] | null };

/** Variables of the template and of the request are merged; the request's win. */
export function podSpecOf(
  catalog: Catalog,
  request: PodRequest,
  template: TemplateSpec | null,
): PodSpec {
  const settings = normalizedSettings(catalog, request);
  const spec = { ...defaultSpec, ...(template && fromTemplate(template, settings)), ...settings };
  return {
    ...spec,
    volumeInGb: spec.networkVolumeId === null ? spec.volumeInGb : 0,
    env: { ...template?.env, ...settings.env },
  };
}

/** The settings that have a value, in the catalog's spelling. */
export function normalizedSettings(catalog: Catalog, request: PodRequest): Partial<PodSpec> {
  const settings: Partial<PodSpec> = Object.fromEntries(
    Object.entries(request).filter(([, value]) => value !== null && value !== undefined),
  );
  const { gpuTypeIds, dataCenterIds, countryCodes, cpuFlavorIds, minCudaVersion } = settings;
  return {
    ...settings,
    ...(gpuTypeIds && {
      gpuTypeIds: normalized(gpuTypeIds, (id) => canonicalGpuType(catalog, id)),
    }),
    ...(dataCenterIds && { dataCenterIds: normalized(dataCenterIds, (id) => id.toUpperCase()) }),
    ...(countryCodes && { countryCodes: normalized(countryCodes, (code) => code.toUpperCase()) }),
    ...(cpuFlavorIds && { cpuFlavorIds: normalized(cpuFlavorIds, (id) => id) }),
    ...(minCudaVersion !== undefined && { minCudaVersion: minCudaVersion || null }),
  };
}

function fromTemplate(template: TemplateSpec, request: Partial<PodSpec>): Partial<PodSpec> {
  const { imageName, dockerEntrypoint, dockerStartCmd, ports, driver } = template;
  const { containerDiskInGb, volumeInGb, volumeMountPath } = template;
  const disks = { containerDiskInGb, volumeInGb, volumeMountPath };
  const containerRegistryAuthId = template.containerRegistryAuthId || null;
  const container = { imageName, dockerEntrypoint, dockerStartCmd, ports, driver };
  // A minimum in the request replaces the versions that the template allows.
  const allowedCudaVersions = request.minCudaVersion ? [] : template.allowedCudaVersions;
  const templateIdle = template.stopWhenIdle ?? null;
  const templateLifetime = template.maxLifetime ?? null;
  const rules = { templateIdle, templateLifetime };
  return { ...container, containerRegistryAuthId, ...disks, allowedCudaVersions, ...rules };
}

function normalized(ids: string[], spelling: (id: string) => string): string[] {
  return [...new Set(ids.map(spelling))];
}

/** What a client sets of a Pod beside its spec. It changes in place, without a new container. */
export interface PodTerms {
  name: string;
  labels: Labels;
  locked: boolean;
  stopAfter: number | null;
  terminateAfter: number | null;
  /** Its own rule; null if it has none. */
  stopWhenIdle: OwnIdleRule | null;
  /** Its own maximum; null if it has none. */
  maxLifetime: MaxLifetime | null;
}

/** The terms of a client that asks for none. */
export const defaultTerms: PodTerms = {
  name: "my pod",
  labels: noLabels,
  locked: false,
  stopAfter: null,
  terminateAfter: null,
  stopWhenIdle: null,
  maxLifetime: null,
};

const termNames = Object.keys(defaultTerms) as (keyof PodTerms)[];

/** The terms of a Pod or a request, without its other fields. */
export function termsOf(terms: PodTerms): PodTerms {
  return Object.fromEntries(termNames.map((name) => [name, terms[name]])) as unknown as PodTerms;
}
