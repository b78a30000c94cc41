// What happens to a Flash build in one commit: its upload begins, is finalized, and its manifest is replaced.

import { Fault } from "../../domain/fault.ts";
import { type FlashBuild, MAX_BUILDS } from "../../domain/flash/build.ts";
import type { StorageLimit } from "../../domain/storage/storage-limit.ts";
import type { Tx } from "../../store/engine/statement.ts";
import {
  buildsOfApp,
  deleteBuild,
  deleteExpiredUploads,
  findBuild,
  insertBuild,
  setManifest,
} from "../../store/flash-app/build.ts";
import { environmentsOfApp } from "../../store/flash-app/environment.ts";
import { lockFlashApp, notifyFlashApp } from "../../store/flash-app/flash-app.ts";
import { requireStorage } from "../storage/require-storage.ts";

export function* beginUpload(
  accountId: string,
  build: FlashBuild,
  storageLimit: StorageLimit | null,
): Tx<FlashBuild | Fault> {
  const app = yield* lockFlashApp(build.appId);
  if (app?.accountId !== accountId) return new Fault("flash_app_not_found", { id: build.appId });
  const refusal = storageLimit && (yield* requireStorage(storageLimit, build.size));
  if (refusal) return refusal;
  yield* insertBuild(build);
  return build;
}

export interface Finalized {
  build: FlashBuild;
  /** Older builds that were deleted. */
  deleted: string[];
}

/** The app is locked, so that no environment deploys a build that is deleted here. */
export function* finalizeUpload(
  accountId: string,
  { id, appId }: { id: string; appId: string },
  manifest: string,
): Tx<Finalized | Fault> {
  const app = yield* lockFlashApp(appId);
  if (app?.accountId !== accountId) return new Fault("flash_app_not_found", { id: appId });
  const build = yield* findBuild(accountId, id);
  if (build?.appId !== appId) return new Fault("flash_build_not_found", { id });
  yield* setManifest(id, manifest);
  yield* notifyFlashApp(accountId, appId);
  return { build: { ...build, manifest }, deleted: yield* deleteOldBuilds(appId, id) };
}

function* deleteOldBuilds(appId: string, newest: string): Tx<string[]> {
  const active = new Set(
    (yield* environmentsOfApp(appId)).map(({ activeBuildId }) => activeBuildId),
  );
  const old = (yield* buildsOfApp(appId)).slice(MAX_BUILDS).map(({ id }) => id);
  const unused = old.filter((id) => id !== newest && !active.has(id));
  for (const id of unused) yield* deleteBuild(id);
  return unused;
}

export function* changeManifest(
  accountId: string,
  id: string,
  manifest: string,
): Tx<FlashBuild | Fault> {
  const build = yield* findBuild(accountId, id);
  if (!build || build.manifest === null) return new Fault("flash_build_not_found", { id });
  yield* setManifest(id, manifest);
  return { ...build, manifest };
}

export function* endExpiredUploads(now: number): Tx<void> {
  yield* deleteExpiredUploads(now);
}
