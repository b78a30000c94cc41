// Deploys a Flash build to an environment: it becomes the active one, and every endpoint of the environment
// gets a release with it. Deploying an older build is how one rolls back.

import { changeEndpoint } from "../../domain/endpoint/change.ts";
import type { Release } from "../../domain/endpoint/release.ts";
import { Fault } from "../../domain/fault.ts";
import type { FlashEnvironment } from "../../domain/flash/app.ts";
import { listEndpoints, lockEndpoint, updateEndpoint } from "../../store/endpoint/endpoint.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { findBuild } from "../../store/flash-app/build.ts";
import {
  findEnvironment,
  lockEnvironment,
  setActiveBuild,
} from "../../store/flash-app/environment.ts";
import { lockFlashApp, notifyFlashApp } from "../../store/flash-app/flash-app.ts";
import { lockTemplateShared } from "../../store/template/template.ts";

export function* deployBuild(
  accountId: string,
  { environmentId, buildId }: { environmentId: string; buildId: string },
  now: number,
  complete: (release: Release) => Release,
): Tx<FlashEnvironment | Fault> {
  const found = yield* findEnvironment(accountId, environmentId);
  if (!found) return new Fault("flash_environment_not_found", { id: environmentId });
  yield* lockFlashApp(found.appId);
  const environment = yield* lockEnvironment(accountId, environmentId);
  if (!environment) return new Fault("flash_environment_not_found", { id: environmentId });
  const build = yield* findBuild(accountId, buildId);
  if (build?.appId !== environment.appId || build.manifest === null) {
    return new Fault("flash_build_not_found", { id: buildId });
  }
  yield* setActiveBuild(environmentId, buildId);
  yield* notifyFlashApp(accountId, environment.appId);
  const endpoints = yield* listEndpoints(accountId);
  for (const { id, spec } of endpoints) {
    if (spec.flashEnvironmentId === environmentId) yield* release(id, buildId, now, complete);
  }
  return { ...environment, activeBuildId: buildId };
}

function* release(
  endpointId: string,
  flashBuildId: string,
  now: number,
  complete: (release: Release) => Release,
): Tx<void> {
  const endpoint = yield* lockEndpoint(endpointId);
  const template = endpoint && (yield* lockTemplateShared(endpoint.templateId));
  if (!endpoint || !template) return;
  const changed = changeEndpoint(endpoint, { request: { flashBuildId }, template }, now);
  yield* updateEndpoint(changed.endpoint, changed.release && complete(changed.release));
}

/** The build that an endpoint of this environment runs, empty if none is deployed. */
export function* activeBuildOf(accountId: string, environmentId: string): Tx<string | Fault> {
  const environment = yield* lockEnvironment(accountId, environmentId);
  if (environment) return environment.activeBuildId ?? "";
  return new Fault("flash_environment_not_found", { id: environmentId });
}
