// Changes of an endpoint by a request. A change that needs new workers increments the version.

import { isDeepStrictEqual } from "node:util";
import { completeRetryPolicy } from "../job/retry-policy.ts";
import type { Template } from "../template/template.ts";
import { type Endpoint, type EndpointSpec, endpointDefaults, inPlace } from "./endpoint.ts";
import type { EndpointRequest } from "./endpoint-request.ts";
import { type Release, releaseOf } from "./release.ts";

/**
 * The settings of a new endpoint. If workersMin exceeds the default workersMax, it raises
 * workersMax.
 */
export function newSpec(request: EndpointRequest): EndpointSpec {
  const { workersMax } = endpointDefaults;
  const atLeast = { workersMax: Math.max(workersMax, request.workersMin ?? 0) };
  // The answer of a load-balancing endpoint may stream for long.
  const timeout = request.type === "LB" ? { executionTimeoutMs: 0 } : {};
  return scaledByType({ ...endpointDefaults, ...atLeast, ...timeout, ...settingsOf(request) });
}

/** A load-balancing endpoint has no queue whose delay could be measured: it scales by requests. */
function scaledByType(spec: EndpointSpec): EndpointSpec {
  return spec.type === "LB" ? { ...spec, scalerType: "REQUEST_COUNT" } : spec;
}

export interface ChangedEndpoint {
  endpoint: Endpoint;
  /** Null if the change takes effect in place. */
  release: Release | null;
}

export interface EndpointChange {
  request: EndpointRequest;
  /** The template that the endpoint uses after the change. */
  template: Template;
  /** The reason of a new release; by default the names of the settings that changed. */
  reason?: string | undefined;
}

export function changeEndpoint(
  before: Endpoint,
  { request, template, reason }: EndpointChange,
  now: number,
): ChangedEndpoint {
  const spec = scaledByType({ ...before.spec, ...settingsOf(request), type: before.spec.type });
  const { name = before.name, labels = before.labels } = request;
  const released: string[] = (Object.keys(spec) as (keyof EndpointSpec)[]).filter(
    (key) => !inPlace.has(key) && !isDeepStrictEqual(spec[key], before.spec[key]),
  );
  if (template.id !== before.templateId) released.unshift("templateId");
  const version = before.version + (released.length > 0 ? 1 : 0);
  const endpoint = { ...before, name, labels, templateId: template.id, spec, version };
  if (released.length === 0) return { endpoint, release: null };
  return {
    endpoint,
    release: releaseOf(endpoint, template, reason ?? `changed: ${released.join(", ")}`, now),
  };
}

/** The settings in a request, without its other fields. */
export function settingsOf(request: EndpointRequest): Partial<EndpointSpec> {
  const { name: _, labels: __, templateId: ___, retryPolicy, ...settings } = request;
  if (retryPolicy === undefined) return settings;
  return { ...settings, retryPolicy: retryPolicy && completeRetryPolicy(retryPolicy) };
}
