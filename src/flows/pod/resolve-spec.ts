// Resolves a request for a Pod to a complete, valid spec, with the driver and the network volume it uses.

import type { Ids } from "../../base/ids.ts";
import type { Catalog } from "../../domain/catalog/catalog.ts";
import { tooManyPorts } from "../../domain/container/ports.ts";
import { Fault } from "../../domain/fault.ts";
import type { NetworkVolume } from "../../domain/network-volume/network-volume.ts";
import type { PlacementRequest } from "../../domain/placement/request.ts";
import { requestOf } from "../../domain/pod/compute.ts";
import { servicesOf, withServices } from "../../domain/pod/container/services.ts";
import { podSpecOf } from "../../domain/pod/pod-request.ts";
import type { PodSpec } from "../../domain/pod/spec.ts";
import { validatePod } from "../../domain/pod/validate.ts";
import { asSandbox } from "../../domain/sandbox/spec.ts";
import type { Template, TemplateSpec } from "../../domain/template/template.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { lockTemplateShared } from "../../store/template/template.ts";
import { lockVolumeForPod } from "../../transactions/network-volume/of-pod.ts";
import { driverForPod, type PodRules } from "../workload/pod-rules.ts";
import type { NewPod } from "./create.ts";
import { missingReference } from "./references.ts";

export type UnresolvedPod = Pick<NewPod, "accountId" | "owner" | "request" | "services">;

export interface ResolvedPod {
  spec: PodSpec;
  driver: string;
  /** The network volume that it mounts, locked in this transaction. */
  volume: NetworkVolume | null;
  request: PlacementRequest;
}

export function* resolveSpec(
  deps: PodRules & { catalog: Catalog; ids: Ids },
  { accountId, owner, request, services }: UnresolvedPod,
): Tx<ResolvedPod | Fault> {
  const { catalog, portLimits, officialTemplates } = deps;
  const { templateId } = request;
  const template =
    officialTemplates.find(templateId) ??
    (templateId ? yield* lockTemplateShared(templateId) : undefined);
  if (templateId && !mayUse(template, accountId)) {
    const detail = `"templateId" must be one of your templates; there is no "${templateId}".`;
    return new Fault("invalid_body", { detail });
  }
  const base = podSpecOf(catalog, request, template ? usable(template, accountId) : null);
  const spec = base.sandbox
    ? asSandbox(base)
    : withServices(base, servicesOf(services, template?.spec), deps.ids);
  const errors = [...validatePod(catalog, spec), ...tooManyPorts(spec.ports, portLimits)];
  if (errors.length > 0) return new Fault("invalid_body", { detail: errors.join(" ") });
  const driver = driverForPod(deps, spec);
  if (driver instanceof Fault) return driver;
  const missing = yield* missingReference({ accountId, ownerId: owner?.id ?? null }, spec);
  if (missing) return missing;
  const volume = yield* lockVolumeForPod(accountId, spec);
  if (volume instanceof Fault) return volume;
  return { spec, driver, volume, request: requestOf(catalog, spec, driver, volume) };
}

/** Another account's public template does not lend its registry auth. */
function usable(template: Template, accountId: string): TemplateSpec {
  const { spec } = template;
  return accountId === template.accountId ? spec : { ...spec, containerRegistryAuthId: "" };
}

const mayUse = (template: Template | undefined, accountId: string) =>
  template !== undefined && (template.accountId === accountId || template.spec.isPublic);
