// How much data an account's network volumes hold, and what mounts them.

import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import type { Pod } from "../../domain/pod/pod.ts";
import { listEndpoints } from "../../store/endpoint/endpoint.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { volumeUses } from "../../store/network-volume/use.ts";
import { podsOf } from "../../store/pod/row.ts";

interface Named {
  id: string;
  name: string;
}

export interface VolumeUseView {
  /** Null if it was never measured. */
  usedBytes: number | null;
  pods: Named[];
  endpoints: Named[];
}

/** Returns the use of a volume by its id. */
export async function usesOfVolumes(
  { store }: { store: Store },
  accountId: string,
): Promise<(id: string) => VolumeUseView> {
  const { bytes, pods, endpoints } = await store.read(readUses, accountId);
  return (volumeId) => ({
    usedBytes: bytes.get(volumeId) ?? null,
    pods: pods.filter(({ desired }) => desired.spec.networkVolumeId === volumeId),
    endpoints: endpoints.filter(({ spec }) => spec.networkVolumeIds.includes(volumeId)),
  });
}

function* readUses(accountId: string): Tx<{
  bytes: Map<string, number>;
  pods: Pod[];
  endpoints: Endpoint[];
}> {
  const bytes = yield* volumeUses(accountId);
  return { bytes, pods: yield* podsOf(accountId), endpoints: yield* listEndpoints(accountId) };
}
