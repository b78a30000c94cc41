// Reading an endpoint's releases, newest first.

import type { Release } from "../../domain/endpoint/release.ts";
import { Fault } from "../../domain/fault.ts";
import { findEndpoint, listReleases } from "../../store/endpoint/endpoint.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { modelsOfReleases, type ReleaseModel } from "../../store/release-model/release-model.ts";

/** A release with the commits of its models. */
export interface PinnedRelease extends Release {
  models: ReleaseModel[];
}

export async function releasesOf(
  { store }: { store: Store },
  accountId: string,
  endpointId: string,
): Promise<PinnedRelease[]> {
  const releases = await store.read(readReleases, accountId, endpointId);
  if (!releases) throw new Fault("endpoint_not_found", { id: endpointId });
  return releases;
}

function* readReleases(accountId: string, endpointId: string): Tx<PinnedRelease[] | null> {
  const endpoint = yield* findEndpoint(endpointId);
  if (endpoint?.accountId !== accountId) return null;
  const releases = yield* listReleases(endpointId);
  const models = yield* modelsOfReleases(endpointId);
  return releases.map((release) => {
    return { ...release, models: models.filter(({ version }) => version === release.version) };
  });
}
