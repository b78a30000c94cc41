// Deletes a Flash app with its environments and builds, or one environment. Endpoints are deleted first.

import { Fault } from "../../domain/fault.ts";
import { listEndpoints } from "../../store/endpoint/endpoint.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { deleteBuildsOfApp } from "../../store/flash-app/build.ts";
import {
  deleteEnvironment,
  deleteEnvironmentsOfApp,
  environmentsOfApp,
  lockEnvironment,
} from "../../store/flash-app/environment.ts";
import { deleteFlashApp, lockFlashApp, notifyFlashApp } from "../../store/flash-app/flash-app.ts";

export function* deleteAppWithEnvironments(accountId: string, id: string): Tx<Fault | string[]> {
  const app = yield* lockFlashApp(id);
  if (app?.accountId !== accountId) return new Fault("flash_app_not_found", { id });
  for (const environment of yield* environmentsOfApp(id)) {
    const used = yield* usedBy(accountId, environment.id);
    if (used) return used;
  }
  yield* deleteEnvironmentsOfApp(id);
  const builds = yield* deleteBuildsOfApp(id);
  yield* deleteFlashApp(id);
  yield* notifyFlashApp(accountId, id);
  return builds;
}

export function* deleteEnvironmentOf(accountId: string, id: string): Tx<Fault | null> {
  const environment = yield* lockEnvironment(accountId, id);
  if (!environment) return new Fault("flash_environment_not_found", { id });
  const used = yield* usedBy(accountId, id);
  if (used) return used;
  yield* deleteEnvironment(accountId, id);
  yield* notifyFlashApp(accountId, environment.appId);
  return null;
}

/** A refusal that names the endpoints of an environment; null if it has none. */
function* usedBy(accountId: string, environmentId: string): Tx<Fault | null> {
  yield* lockEnvironment(accountId, environmentId);
  const its = (yield* listEndpoints(accountId)).filter(
    ({ spec }) => spec.flashEnvironmentId === environmentId,
  );
  if (its.length === 0) return null;
  const endpoints = its.map(({ id }) => id).join(", ");
  return new Fault("flash_environment_in_use", { id: environmentId, endpoints });
}
