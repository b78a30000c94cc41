// Creates a Pod, also in a namespace that is so new that its service account does not exist yet.

import { pause } from "../../base/clock.ts";
import { ApiError } from "./client/api-error.ts";
import type { KubernetesObject } from "./client/objects.ts";
import { type KubernetesCluster, unless } from "./cluster.ts";

/** A new namespace refuses Pods until its service account exists. */
const NAMESPACE_MS = 20_000;
const RETRY_MS = 200;

/** Null if there is a Pod of this name. */
export async function createPod(
  { client, clock }: KubernetesCluster,
  namespace: string,
  pod: object,
): Promise<KubernetesObject | null> {
  for (const end = clock.ticks() + NAMESPACE_MS; ; ) {
    try {
      const path = `/api/v1/namespaces/${namespace}/pods`;
      return await unless(client.create<KubernetesObject>(path, pod), 409);
    } catch (error) {
      const isEarly =
        error instanceof ApiError && error.status === 403 && /serviceaccount/.test(error.message);
      if (!isEarly || clock.ticks() > end) throw error;
      await pause(clock, RETRY_MS);
    }
  }
}
