// Reading an endpoint's releases, newest first.

import type { Release } from "../../domain/endpoint/release.ts";
import { Fault } from "../../domain/fault.ts";
import { findEndpoint, listReleases } from "../../store/endpoint/endpoint.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";

export async function releasesOf(
  { store }: { store: Store },
  accountId: string,
  endpointId: string,
): Promise<Release[]> {
  const releases = await store.read(readReleases, accountId, endpointId);
  if (!releases) throw new Fault("endpoint_not_found", { id: endpointId });
  return releases;
}

function* readReleases(accountId: string, endpointId: string): Tx<Release[] | null> {
  const endpoint = yield* findEndpoint(endpointId);
  return endpoint?.accountId === accountId ? yield* listReleases(endpointId) : null;
}
