// The Service that leads public ports to a Pod, and the policy that lets connections from outside reach them. Pure.

import type { PortRequest, Workload } from "../driver.ts";
import { LABEL, namespaceOf, type Owner, ownerLabels, podName } from "./names.ts";

/** How public ports reach Pods: on every node, or by a load balancer for each Pod. */
export type PublicPortsBy = "NodePort" | "LoadBalancer";

/** Null if the workload has no public ports. */
export function publicPortObjects(workload: Workload, owner: Owner, by: PublicPortsBy) {
  const { id, account = "", ports = [] } = workload;
  if (ports.length === 0) return null;
  const name = podName(owner, id);
  const metadata = {
    name,
    namespace: namespaceOf(owner, account),
    labels: { ...ownerLabels(owner), [LABEL.pod]: name },
  };
  const service = {
    metadata,
    spec: {
      type: by,
      selector: { [LABEL.pod]: name },
      ports: ports.map((port) => servicePort(port, by)),
    },
  };
  const policy = {
    metadata,
    spec: {
      podSelector: { matchLabels: { [LABEL.pod]: name } },
      policyTypes: ["Ingress"],
      ingress: [
        { ports: ports.map((port) => ({ protocol: protocolOf(port), port: port.container })) },
      ],
    },
  };
  return { service, policy };
}

function servicePort(port: PortRequest, by: PublicPortsBy) {
  const { container, hostPort } = port;
  return {
    name: `p${container}`,
    protocol: protocolOf(port),
    port: by === "NodePort" ? container : (hostPort ?? container),
    targetPort: container,
    ...(by === "NodePort" && hostPort !== undefined && { nodePort: hostPort }),
  };
}

const protocolOf = ({ protocol }: PortRequest) => protocol.toUpperCase();
