// The permissions that Freehold needs in a cluster, and which of them are missing. docs/kubernetes.md and
// the Helm chart list them too.

import type { ApiClient } from "../client/api-client.ts";

interface Permission {
  group: string;
  /** The resource, with a subresource if it has one: `pods/log`. */
  resource: string;
  actions: readonly string[];
}

export const PERMISSIONS: readonly Permission[] = [
  { group: "", resource: "nodes", actions: ["list", "watch"] },
  { group: "", resource: "nodes/proxy", actions: ["get"] },
  { group: "", resource: "namespaces", actions: ["create", "delete", "list"] },
  { group: "", resource: "pods", actions: ["create", "delete", "get", "list", "patch", "watch"] },
  { group: "", resource: "pods/log", actions: ["get"] },
  { group: "", resource: "pods/exec", actions: ["create", "get"] },
  { group: "", resource: "pods/portforward", actions: ["create", "get"] },
  { group: "", resource: "persistentvolumeclaims", actions: ["create", "delete", "list", "patch"] },
  { group: "", resource: "resourcequotas", actions: ["create", "delete", "list", "patch"] },
  { group: "", resource: "secrets", actions: ["create", "delete", "patch"] },
  { group: "", resource: "services", actions: ["create", "delete", "list", "watch"] },
  { group: "storage.k8s.io", resource: "storageclasses", actions: ["list"] },
  { group: "networking.k8s.io", resource: "networkpolicies", actions: ["create", "delete"] },
];

/** "create pods", "get pods/log", in all namespaces. */
export async function missingPermissions(client: ApiClient): Promise<string[]> {
  const needed = PERMISSIONS.flatMap(({ actions, ...what }) =>
    actions.map((action) => ({ ...what, action })),
  );
  const allowed = await Promise.all(
    needed.map(async ({ group, resource: path, action }) => {
      const [resource, subresource] = path.split("/");
      const review = await client.create<{ status: { allowed: boolean } }>(
        "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
        {
          spec: {
            resourceAttributes: Object.fromEntries([
              ["group", group],
              ["resource", resource],
              ["subresource", subresource],
              ["verb", action],
            ]),
          },
        },
      );
      return review.status.allowed;
    }),
  );
  return needed
    .filter((_, n) => !allowed[n])
    .map(({ action, resource }) => `${action} ${resource}`);
}
