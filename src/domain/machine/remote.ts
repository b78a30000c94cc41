// A remote, as its operator added it: a machine, or a cluster whose nodes are machines. One replica manages it over one
// connection. Pure.

import type { Declared, GpuCounts } from "./inventory.ts";

export interface RemoteMachine {
  id: string;
  /** The display name; may be empty. */
  name: string;
  /** ssh://user@gpu1, ssh://user@gpu1:2222/run/docker.sock, tcp://gpu1:2376, https://cluster:6443 */
  address: string;
  /** Sealed, see RemoteSecrets. */
  secrets: string;
  offer: RemoteOffer;
  /** "ssh-ed25519 SHA256:..."; null before the first connection, and after a reset. */
  hostKey: string | null;
  /** The port at which its containers reach the service; null before the first connection. */
  wayBackPort: number | null;
  /** Why it cannot be managed, in a sentence; null if it is managed or was not tried yet. */
  trouble: string | null;
  addedAt: number;
}

/** The credentials for its connection. */
export interface RemoteSecrets {
  /** A private key for SSH, without a passphrase. */
  identity?: string;
  /** The TLS files for tcp://, in PEM form. */
  tls?: { ca: string; cert: string; key: string };
  /** For a Kubernetes cluster. */
  cluster?: ClusterCredentials;
}

export type ClusterCredentials =
  | {
      kubeconfig: string;
      /** The context of the kubeconfig that names the cluster. */
      context: string;
    }
  | InCluster;

/** The cluster that the service runs in, as the service account that it runs under. */
export interface InCluster {
  inCluster: true;
}

/** The address of that cluster, whatever its API server's own is. */
export const OWN_CLUSTER_ADDRESS = "https://kubernetes.default.svc";

/** The operator's declarations for it. */
export interface RemoteOffer {
  declared: Declared;
  simulatedGpus: GpuCounts;
  /** Real GPUs by type, for a machine where they cannot be detected; numbered from 0 in this order. */
  gpus: GpuCounts;
  /** The address of its Pods' public ports; null if they have none. */
  publicIp: string | null;
  /** For a Kubernetes cluster; absent for the defaults. */
  cluster?: ClusterOffer;
}

export interface ClusterOffer {
  /** Absent if it offers no network volumes. */
  networkVolumes?: ClusterVolumes;
  /** Node ports if absent. */
  publicPorts?: "NodePort" | "LoadBalancer";
  /** The PriorityClasses of spot Pods and of everything else; the cluster's default if absent. */
  priorityClasses?: { spot?: string; onDemand?: string };
  /** The RuntimeClass of Pods with GPUs; the cluster's default if absent. */
  gpuRuntimeClass?: string;
  /** What one account may use of it; no limit for what is absent. */
  accountQuota?: AccountQuota;
  /** Where its Pods reach the service; the public URL if absent. */
  callbackUrl?: string;
  /** The range of its node ports, if it is not Kubernetes' own. */
  nodePorts?: { first: number; last: number };
}

export interface AccountQuota {
  pods?: number;
  vcpus?: number;
  memoryGb?: number;
  /** GPUs of each vendor. */
  gpus?: number;
  /** Container disks. */
  diskGb?: number;
  /** Volumes. */
  storageGb?: number;
}

export interface ClusterVolumes {
  storageClass: string;
  /** ReadWriteOnce pins each volume to the node that used it first. Absent for ReadWriteMany. */
  access?: "ReadWriteMany" | "ReadWriteOnce";
}

export type RemoteAddress =
  | { by: "ssh"; host: string; port: number; user: string; socket: string }
  | { by: "tcp"; host: string; port: number }
  | { by: "kubernetes"; server: string };

const SSH_PORT = 22;
const TLS_PORT = 2376;
const USUAL_SOCKET = "/var/run/docker.sock";

/** Null if the text is not a valid address. */
export function remoteAddressOf(text: string): RemoteAddress | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url?.hostname || url.password || url.search || url.hash) return null;
  const { protocol, username, pathname } = url;
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  if (protocol === "ssh:" && /^[\w.][\w.-]*$/.test(username)) {
    const socket = pathname === "" || pathname === "/" ? USUAL_SOCKET : pathname;
    return { by: "ssh", host, port: Number(url.port) || SSH_PORT, user: username, socket };
  }
  if (protocol === "tcp:" && username === "" && /^\/?$/.test(pathname)) {
    return { by: "tcp", host, port: Number(url.port) || TLS_PORT };
  }
  // The kubeconfig decides which API servers may be reached without TLS.
  if (protocol === "https:" || protocol === "http:") return { by: "kubernetes", server: text };
  return null;
}

/** The leadership of a remote machine; the replica that holds it manages the machine. */
export const manageLeadership = (id: string) => `machine:${id}`;

/** The owner id that its secrets are sealed for. */
export const remoteOwner = (id: string) => `machine:${id}`;

/** The driver of its machines, known also while it is offline. */
export const driverOfRemote = ({ address }: Pick<RemoteMachine, "address">) =>
  address.startsWith("https:") ? "kubernetes" : "docker";
