// What wishes make of an endpoint, and whether they need new workers: then its version rises.

import { isDeepStrictEqual } from "node:util";
import type { Template } from "../template/template.ts";
import { endpointDefaults } from "./defaults.ts";
import { type Endpoint, type EndpointSpec, inPlace } from "./endpoint.ts";
import { type Release, releaseOf } from "./release.ts";
import type { EndpointWishes } from "./wishes.ts";

/** A new endpoint's settings. More workers at least than at most by default means as many at most. */
export function newSpec(wishes: EndpointWishes): EndpointSpec {
  const { workersMax } = endpointDefaults;
  const atLeast = { workersMax: Math.max(workersMax, wishes.workersMin ?? 0) };
  return { ...endpointDefaults, ...atLeast, ...settingsOf(wishes) };
}

export interface ChangedEndpoint {
  endpoint: Endpoint;
  /** Null where the change takes effect in place. */
  release: Release | null;
}

/** `template` is the one that the endpoint uses after the change. */
export function changeEndpoint(
  before: Endpoint,
  wishes: EndpointWishes,
  template: Template,
  now: number,
): ChangedEndpoint {
  const spec: EndpointSpec = { ...before.spec, ...settingsOf(wishes) };
  const name = wishes.name ?? before.name;
  const released: string[] = (Object.keys(spec) as (keyof EndpointSpec)[]).filter(
    (key) => !inPlace.has(key) && !isDeepStrictEqual(spec[key], before.spec[key]),
  );
  if (template.id !== before.templateId) released.unshift("templateId");
  const version = before.version + (released.length > 0 ? 1 : 0);
  const endpoint = { ...before, name, templateId: template.id, spec, version };
  if (released.length === 0) return { endpoint, release: null };
  return {
    endpoint,
    release: releaseOf(endpoint, template, `changed: ${released.join(", ")}`, now),
  };
}

/** What wishes say of the settings, and nothing else. */
export function settingsOf(wishes: EndpointWishes): Partial<EndpointSpec> {
  const { name: _, templateId: __, modelReferences: ___, type: ____, ...settings } = wishes;
  return settings;
}
