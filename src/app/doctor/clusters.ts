// The checks of Kubernetes clusters, from what the running service knows of them.

import type { Machine } from "../../contract/rest-v1/machine/machine.ts";
import type { Service } from "../client/running-service.ts";
import type { Finding } from "./finding.ts";

const DOCS = "see docs/kubernetes.md, Troubleshooting";
const NO_ISOLATION =
  "use a network plugin that enforces policies, such as Cilium or Calico; see docs/kubernetes.md, Isolation";
const NO_CALLBACK = "set FREEHOLD_PUBLIC_URL to an address that the cluster's Pods reach";

/** Empty if the service does not run, or has no clusters. */
export async function checkClusters(service: Service | null): Promise<Finding[]> {
  if (service === null) return [];
  const headers = { authorization: `Bearer ${service.key}` };
  const answer = await fetch(`${service.origin}/v1/machines`, { headers }).catch(() => null);
  if (!answer?.ok) return [];
  const machines = (await answer.json()) as Machine[];
  return machines
    .filter(({ address }) => address?.startsWith("https:"))
    .flatMap((cluster) =>
      findingsOf(
        cluster,
        machines.filter((each) => each.cluster === cluster.id),
      ),
    );
}

function findingsOf(cluster: Machine, nodes: Machine[]): Finding[] {
  const about = `cluster ${cluster.name ?? cluster.id}`;
  const warn = (says: string, mend = DOCS): Finding => ({ level: "warn", about, says, mend });
  const fail = (says: string, mend = DOCS): Finding => ({ level: "fail", about, says, mend });
  const { trouble, notices = [], isolation, isolationTrouble = "", callsBack } = cluster;
  const online = nodes.filter((node) => node.online).length;
  const found = [
    ...(trouble ? [fail(trouble)] : []),
    ...notices.map((notice) => warn(notice)),
    ...(isolation === "unproven"
      ? [warn(`isolation: unproven. ${isolationTrouble}`, NO_ISOLATION)]
      : []),
    ...(callsBack === false ? [fail("its Pods do not reach Freehold", NO_CALLBACK)] : []),
    ...nodes.flatMap(({ name, notices = [] }) =>
      notices.map((each) => warn(`node ${name}: ${each}`)),
    ),
  ];
  const says = `${online} of ${nodes.length} nodes online${isolation ? `; isolation: ${isolation}` : ""}`;
  return found.length > 0 ? found : [{ level: "ok", about, says }];
}
