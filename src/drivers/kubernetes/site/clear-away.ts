// Removes what an installation has in a cluster: its namespaces with all that is in them.

import type { ObjectList } from "../client/objects.ts";
import { type KubernetesCluster, unless } from "../cluster.ts";
import { installationSelector } from "../names.ts";

export async function clearAway(cluster: KubernetesCluster): Promise<void> {
  const { client, installation } = cluster;
  for (const { namespace, name } of await cluster.pods()) {
    const path = `/api/v1/namespaces/${namespace}/pods/${name}`;
    await unless(client.patch(path, { metadata: { finalizers: null } }), 404);
  }
  const labelSelector = installationSelector(installation);
  const { items } = await client.get<ObjectList<{ metadata: { name: string } }>>(
    "/api/v1/namespaces",
    { labelSelector },
  );
  for (const { metadata } of items) {
    await unless(client.delete(`/api/v1/namespaces/${metadata.name}`), 404, 409);
  }
}
