// Reading an account's Flash apps and their environments.

import { Fault } from "../../domain/fault.ts";
import type { FlashApp, FlashEnvironment } from "../../domain/flash/app.ts";
import type { Store } from "../../store/engine/store.ts";
import {
  environmentNamed,
  environmentsOfApp,
  findEnvironment,
} from "../../store/flash-app/environment.ts";
import { findFlashApp, flashAppNamed, listFlashApps } from "../../store/flash-app/flash-app.ts";

interface Deps {
  store: Store;
}

export async function flashAppsOf({ store }: Deps, accountId: string): Promise<FlashApp[]> {
  return store.read(listFlashApps, accountId);
}

export async function readFlashApp(
  { store }: Deps,
  accountId: string,
  id: string,
): Promise<FlashApp> {
  const app = await store.read(findFlashApp, id);
  if (app?.accountId !== accountId) throw new Fault("flash_app_not_found", { id });
  return app;
}

export async function readFlashAppNamed(
  { store }: Deps,
  accountId: string,
  name: string,
): Promise<FlashApp> {
  const app = await store.read(flashAppNamed, accountId, name);
  if (!app) throw new Fault("flash_app_not_found", { id: `"${name.slice(0, 191)}"` });
  return app;
}

/** The environments of an app that the caller has read. */
export async function environmentsOf({ store }: Deps, app: FlashApp): Promise<FlashEnvironment[]> {
  return store.read(environmentsOfApp, app.id);
}

export async function readFlashEnvironment(
  { store }: Deps,
  accountId: string,
  id: string,
): Promise<FlashEnvironment | null> {
  return (await store.read(findEnvironment, accountId, id)) ?? null;
}

/** Throws if the account has no such app. */
export async function readFlashEnvironmentNamed(
  deps: Deps,
  accountId: string,
  { appId, name }: { appId: string; name: string },
): Promise<FlashEnvironment | null> {
  await readFlashApp(deps, accountId, appId);
  return (await deps.store.read(environmentNamed, appId, name)) ?? null;
}
