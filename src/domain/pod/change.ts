// The spec of a Pod after a change. A change may repeat anything that the Pod was created with. Pure.

import { isDeepStrictEqual } from "node:util";
import type { Catalog } from "../catalog/catalog.ts";
import type { TemplateSpec } from "../template/template.ts";
import { servicePorts, servicesOf } from "./container/services.ts";
import { normalizedSettings, type PodRequest } from "./pod-request.ts";
import type { PodSpec } from "./spec.ts";

/** The settings that a change can give another value. */
const changeable: ReadonlySet<string> = new Set<keyof PodSpec>([
  "containerDiskInGb",
  "containerRegistryAuthId",
  "dockerEntrypoint",
  "dockerStartCmd",
  "env",
  "imageName",
  "ports",
  "volumeInGb",
  "volumeMountPath",
]);

/**
 * `template` is the Pod's template if the change names it: its variables and services are then under
 * the change's own, as they are when a Pod is created.
 */
export function changedSpec(
  catalog: Catalog,
  before: PodSpec,
  changes: PodRequest,
  template: TemplateSpec | null = null,
): { spec: PodSpec; errors: string[] } {
  const settings = { ...normalizedSettings(catalog, changes), ...explicitNulls(changes) };
  const errors: string[] = [];
  for (const [name, value] of Object.entries(settings)) {
    const now = before[name as keyof PodSpec];
    if (changeable.has(name) || isDeepStrictEqual(value, now)) continue;
    errors.push(`"${name}" is ${JSON.stringify(now)} and cannot change; create another Pod.`);
  }
  const overlay = Object.entries(settings).filter(([name]) => changeable.has(name));
  const spec: PodSpec = { ...before, ...Object.fromEntries(overlay) };
  // A network volume replaces the Pod's own one, whatever its size.
  if (before.networkVolumeId !== null) spec.volumeInGb = before.volumeInGb;
  if (spec.volumeInGb < before.volumeInGb) {
    const { volumeInGb } = before;
    errors.push(`"volumeInGb" is ${spec.volumeInGb}; a volume of ${volumeInGb} GB can only grow.`);
  }
  return { spec: template ? overTemplate(spec, before, settings, template) : spec, errors };
}

/** References that are set to none. Any other null stands for the present value. */
function explicitNulls(changes: PodRequest): Partial<PodSpec> {
  const names = ["templateId", "networkVolumeId", "containerRegistryAuthId"] as const;
  return Object.fromEntries(
    names.flatMap((name) => (changes[name] === null ? [[name, null]] : [])),
  );
}

function overTemplate(
  spec: PodSpec,
  before: PodSpec,
  { env, ports }: Partial<PodSpec>,
  template: TemplateSpec,
): PodSpec {
  const services = servicesOf(undefined, template);
  const password = before.env.JUPYTER_PASSWORD;
  const generated: Record<string, string> = {};
  if (services.jupyter && password !== undefined) generated.JUPYTER_PASSWORD = password;
  return {
    ...spec,
    env: env ? { ...generated, ...template.env, ...env } : spec.env,
    ...(ports && { ports: [...new Set([...ports, ...servicePorts(services)])] }),
    // An empty id stands for the template's registry auth.
    ...(spec.containerRegistryAuthId === null && {
      containerRegistryAuthId: before.containerRegistryAuthId,
    }),
  };
}

export const isSameSpec = (one: PodSpec, other: PodSpec): boolean => isDeepStrictEqual(one, other);
