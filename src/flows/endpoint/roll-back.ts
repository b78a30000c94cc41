// Rolling an endpoint back: a new release that runs what an earlier one ran. What a release does not hold, such as
// the hardware and the scaling, stays as it is.

import { isDeepStrictEqual } from "node:util";
import type { Clock } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import type { Release, ReleaseWorkload } from "../../domain/endpoint/release.ts";
import { Fault } from "../../domain/fault.ts";
import { noLabels } from "../../domain/label/labels.ts";
import type { TemplateSpec } from "../../domain/template/template.ts";
import { findEndpoint, listReleases } from "../../store/endpoint/endpoint.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { lockTemplate } from "../../store/template/template.ts";
import { copyPins } from "../../transactions/endpoint/copy-pins.ts";
import { deleteUnusedTemplate } from "../../transactions/endpoint/delete.ts";
import { throwRefusal } from "../throw-refusal.ts";
import type { EndpointRules } from "./check.ts";
import type { EndpointView } from "./read.ts";
import { keepChange, keepWithCopy } from "./update.ts";

export interface RollBack {
  accountId: string;
  id: string;
  /** A number; as the client wrote it. */
  version: string;
}

type Rules = EndpointRules & { ids: Ids };

export async function rollBackEndpoint(
  deps: { store: Store; clock: Clock } & Rules,
  rollBack: RollBack,
): Promise<EndpointView> {
  return throwRefusal(deps.store.write(revert, deps, rollBack, deps.clock.now()));
}

function* revert(rules: Rules, rollBack: RollBack, now: number): Tx<EndpointView | Fault> {
  const { accountId, id, version } = rollBack;
  const endpoint = yield* findEndpoint(id);
  if (endpoint?.accountId !== accountId) return new Fault("endpoint_not_found", { id });
  if (endpoint.spec.flashEnvironmentId !== "") {
    const detail = "the endpoint belongs to a Flash environment; deploy an earlier build of it";
    return new Fault("cannot_roll_back", { detail });
  }
  const releases = yield* listReleases(id);
  const target = releases.find((each) => `${each.version}` === version);
  if (!target) return new Fault("release_not_found", { id, version });
  if (isDeepStrictEqual(target.workload, releases[0]?.workload)) {
    const detail = `version ${version} runs the same as the current version ${endpoint.version}`;
    return new Fault("cannot_roll_back", { detail });
  }
  const view = yield* restore(rules, endpoint, target, now);
  if (!(view instanceof Fault)) yield* copyPins(id, target.version, view.endpoint.version);
  return view;
}

function* restore(
  rules: Rules,
  endpoint: Endpoint,
  { version, workload }: Release,
  now: number,
): Tx<EndpointView | Fault> {
  const { accountId, id } = endpoint;
  const { networkVolumeIds, modelReferences = [] } = workload;
  const request = { networkVolumeIds, modelReferences };
  const update = { accountId, id, request, reason: `rolled back to version ${version}` };
  const template = yield* lockTemplate(endpoint.templateId);
  if (!template) return new Fault("endpoint_not_found", { id });
  const spec = { ...template.spec, ...templateOf(workload) };
  // A release of a template without a driver has one where it is simulated.
  if (template.spec.driver === null && spec.driver === "simulated") spec.driver = null;
  if (isDeepStrictEqual(spec, template.spec)) return yield* keepChange(rules, update, now);
  // Other endpoints and Pods may use the template, so it stays as it is.
  const copyId = rules.ids.short(10);
  const name = `${endpoint.name} ${copyId}`;
  const { owner } = endpoint;
  const isOwn = template.boundTo === id;
  const labels = isOwn ? template.labels : noLabels;
  const identity = { id: copyId, accountId, owner, name, labels };
  const copy = { ...identity, createdAt: now, spec, boundTo: id };
  const view = yield* keepWithCopy(rules, update, { template: copy, stored: spec }, now);
  if (!(view instanceof Fault) && isOwn) yield* deleteUnusedTemplate(template);
  return view;
}

/** The part of a template that a release holds. */
function templateOf(workload: ReleaseWorkload): Partial<TemplateSpec> {
  const { driver, image, entrypoint, command, env } = workload;
  const { containerRegistryAuthId, containerDiskInGb } = workload;
  return {
    driver,
    env,
    containerRegistryAuthId,
    imageName: image,
    dockerEntrypoint: entrypoint,
    dockerStartCmd: command,
    ...(containerDiskInGb !== undefined && { containerDiskInGb }),
  };
}
