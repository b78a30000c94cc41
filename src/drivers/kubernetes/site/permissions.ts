// The permissions that Freehold needs in a cluster, and which of them are missing. docs/kubernetes.md lists them too.

import type { ApiClient } from "../client/api-client.ts";

interface Permission {
  group: string;
  /** With a subresource: `pods/log`. */
  resource: string;
  verbs: readonly string[];
}

export const PERMISSIONS: readonly Permission[] = [
  { group: "", resource: "nodes", verbs: ["list", "watch"] },
  { group: "", resource: "nodes/proxy", verbs: ["get"] },
  { group: "", resource: "namespaces", verbs: ["create", "delete", "list"] },
  { group: "", resource: "pods", verbs: ["create", "delete", "get", "list", "patch", "watch"] },
  { group: "", resource: "pods/log", verbs: ["get"] },
  { group: "", resource: "pods/exec", verbs: ["create", "get"] },
  { group: "", resource: "pods/portforward", verbs: ["create", "get"] },
  { group: "", resource: "secrets", verbs: ["create", "delete", "patch"] },
  { group: "networking.k8s.io", resource: "networkpolicies", verbs: ["create"] },
];

/** "create pods", "get pods/log", in all namespaces. */
export async function missingPermissions(client: ApiClient): Promise<string[]> {
  const needed = PERMISSIONS.flatMap(({ verbs, ...what }) =>
    verbs.map((verb) => ({ ...what, verb })),
  );
  const allowed = await Promise.all(
    needed.map(async ({ group, resource: path, verb }) => {
      const [resource, subresource] = path.split("/");
      const resourceAttributes = { group, resource, subresource, verb };
      const review = await client.create<{ status: { allowed: boolean } }>(
        "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
        { spec: { resourceAttributes } },
      );
      return review.status.allowed;
    }),
  );
  return needed.filter((_, n) => !allowed[n]).map(({ verb, resource }) => `${verb} ${resource}`);
}
