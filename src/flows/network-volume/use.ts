// How much is in an account's network volumes, and what mounts them.

import { listEndpoints } from "../../store/endpoint/endpoint.ts";
import { volumeUses } from "../../store/network-volume/use.ts";
import { podsOf } from "../../store/pod/row.ts";
import type { Verb } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";

interface Named {
  id: string;
  name: string;
}

export interface VolumeUseView {
  /** Null before it was measured. */
  usedBytes: number | null;
  pods: Named[];
  endpoints: Named[];
}

/** By the volume's id. */
export async function usesOfVolumes(
  { store }: { store: Store },
  accountId: string,
): Promise<(id: string) => VolumeUseView> {
  const { bytes, pods, endpoints } = await store.read(looked, accountId);
  return (volumeId) => ({
    usedBytes: bytes.get(volumeId) ?? null,
    pods: pods.filter(({ spec }) => spec.networkVolumeId === volumeId),
    endpoints: endpoints.filter(({ spec }) => spec.networkVolumeIds.includes(volumeId)),
  });
}

function* looked(accountId: string): Verb<{
  bytes: Map<string, number>;
  pods: (Named & { spec: { networkVolumeId: string | null } })[];
  endpoints: (Named & { spec: { networkVolumeIds: string[] } })[];
}> {
  const bytes = yield* volumeUses(accountId);
  return { bytes, pods: yield* podsOf(accountId), endpoints: yield* listEndpoints(accountId) };
}
