// Deletes a Flash app with its environments, or one environment.

import { Fault } from "../../domain/fault.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { deleteEnvironment, deleteEnvironmentsOfApp } from "../../store/flash-app/environment.ts";
import { deleteFlashApp, lockFlashApp } from "../../store/flash-app/flash-app.ts";

export function* deleteAppWithEnvironments(accountId: string, id: string): Tx<Fault | null> {
  const app = yield* lockFlashApp(id);
  if (app?.accountId !== accountId) return new Fault("flash_app_not_found", { id });
  yield* deleteEnvironmentsOfApp(id);
  yield* deleteFlashApp(id);
  return null;
}

export function* deleteEnvironmentOf(accountId: string, id: string): Tx<Fault | null> {
  if (yield* deleteEnvironment(accountId, id)) return null;
  return new Fault("flash_environment_not_found", { id });
}
