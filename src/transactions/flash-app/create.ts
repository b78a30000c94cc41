// Creates a Flash app, or an environment of one.

import { Fault } from "../../domain/fault.ts";
import type { FlashApp, FlashEnvironment } from "../../domain/flash/app.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { insertEnvironment } from "../../store/flash-app/environment.ts";
import { insertFlashApp, lockFlashApp, notifyFlashApp } from "../../store/flash-app/flash-app.ts";
import { requireRoom } from "../account/require-room.ts";

export function* createApp(app: FlashApp): Tx<FlashApp | Fault> {
  const refusal = yield* requireRoom("flashApp", app.accountId);
  if (refusal) return refusal;
  if (!(yield* insertFlashApp(app))) {
    return new Fault("name_taken", { noun: "Flash app", name: app.name });
  }
  yield* notifyFlashApp(app.accountId, app.id);
  return app;
}

/** The app is locked, so that it is not deleted meanwhile. */
export function* createEnvironment(
  accountId: string,
  environment: FlashEnvironment,
): Tx<FlashEnvironment | Fault> {
  const { appId, name } = environment;
  const app = yield* lockFlashApp(appId);
  if (app?.accountId !== accountId) return new Fault("flash_app_not_found", { id: appId });
  if (!(yield* insertEnvironment(environment))) {
    return new Fault("name_taken", { noun: "Flash environment", name });
  }
  yield* notifyFlashApp(accountId, appId);
  return environment;
}
