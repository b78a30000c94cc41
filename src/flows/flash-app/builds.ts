// Reading the builds of Flash apps, replacing a manifest, and deploying a build.

import type { Clock } from "../../base/clock.ts";
import type { Release } from "../../domain/endpoint/release.ts";
import { Fault } from "../../domain/fault.ts";
import type { FlashApp, FlashEnvironment } from "../../domain/flash/app.ts";
import type { FlashBuild } from "../../domain/flash/build.ts";
import type { Store } from "../../store/engine/store.ts";
import { buildsOfApp, findBuild } from "../../store/flash-app/build.ts";
import { changeManifest } from "../../transactions/flash-app/build.ts";
import { deployBuild } from "../../transactions/flash-app/deploy.ts";
import { throwRefusal } from "../throw-refusal.ts";
import { type StartRules, withDriver } from "../workload/template-check.ts";

interface Deps {
  store: Store;
}

/** The finalized builds of an app that the caller has read, newest first. */
export async function buildsOf({ store }: Deps, app: FlashApp): Promise<FlashBuild[]> {
  return store.read(buildsOfApp, app.id);
}

export async function readFlashBuild(
  { store }: Deps,
  accountId: string,
  id: string,
): Promise<FlashBuild | null> {
  const build = await store.read(findBuild, accountId, id);
  return build && build.manifest !== null ? build : null;
}

export async function updateFlashManifest(
  { store }: Deps,
  accountId: string,
  { id, manifest }: { id: string; manifest: unknown },
): Promise<FlashBuild> {
  return throwRefusal(store.write(changeManifest, accountId, id, manifestText(manifest)));
}

export async function deployFlashBuild(
  { store, clock, driverFor }: Deps & { clock: Clock } & StartRules,
  accountId: string,
  request: { environmentId: string; buildId: string },
): Promise<FlashEnvironment> {
  const complete = (release: Release) => withDriver({ driverFor }, release);
  return throwRefusal(store.write(deployBuild, accountId, request, clock.now(), complete));
}

export function manifestText(manifest: unknown): string {
  if (typeof manifest === "object" && manifest !== null && !Array.isArray(manifest)) {
    return JSON.stringify(manifest);
  }
  throw new Fault("invalid_body", { detail: '"manifest" must be a JSON object.' });
}
