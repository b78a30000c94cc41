// The dependencies of the management interface's routes.

import type { IncomingMessage } from "node:http";
import type { Vault } from "../../base/vault.ts";
import type { PricedCatalog } from "../../domain/catalog/prices.ts";
import type { Protocol } from "../../domain/protocol.ts";
import type { HeartbeatTiming } from "../../domain/replica/heartbeat-timing.ts";
import type { Tracer } from "../../domain/trace/span.ts";
import type { Changes } from "../../flows/change/changes.ts";
import type { VirtualTime } from "../../flows/clock/virtual-time.ts";
import type { CapacityDeps } from "../../flows/endpoint/capacity.ts";
import type { EndpointRules } from "../../flows/endpoint/check.ts";
import type { FlashArchives } from "../../flows/flash-app/archives.ts";
import type { SharedArchives } from "../../flows/flash-app/shared-archives.ts";
import type { FlowDeps } from "../../flows/flow-deps.ts";
import type { Installation } from "../../flows/installation/read.ts";
import type { ClusterCheck } from "../../flows/machine/add-cluster.ts";
import type { Ownership } from "../../flows/member/ownership.ts";
import type { Execution } from "../../flows/pod/exec.ts";
import type { RateLimits } from "../../flows/rate-limits.ts";
import type { LogSources } from "../../flows/replica/log-source.ts";
import type { StorageQuota } from "../../flows/storage-quota.ts";
import type { Troubles } from "../../flows/trouble/troubles.ts";
import type { Revalidation } from "../http/auth/revalidate.ts";
import type { BodyRooms } from "../http/body/receive.ts";
import type { Polls } from "../http/held-requests.ts";
import type { PodPages } from "../proxy/pod-pages.ts";
import type { CallerRequest, ResponseEvent } from "./endpoint/endpoint-call.ts";

export interface SshAddress {
  host: string;
  port: number;
}

/** Upgrades requests to WebSockets that carry a command in a Pod. */
export interface TerminalUpgrades {
  /** Throws a fault if the request cannot become a WebSocket. */
  check(request: IncomingMessage): void;
  open(request: IncomingMessage, execution: Execution, signal: AbortSignal): void;
}

export interface RestDeps
  extends FlowDeps,
    EndpointRules,
    LogSources,
    Pick<CapacityDeps, "driverOfRelease"> {
  catalog: PricedCatalog;
  ownership: Ownership;
  protocol: Protocol;
  /** Null if tracing is off. */
  tracer: Tracer | null;
  heartbeatTiming: HeartbeatTiming;
  polls: Polls;
  bodyRooms: BodyRooms;
  terminals: TerminalUpgrades;
  vault: Vault;
  /** Whether the operator configured a mail server. */
  sendsMail: boolean;
  checkCluster: ClusterCheck;
  rates: RateLimits;
  storageQuota: StorageQuota;
  flashArchives: FlashArchives;
  sharedArchives: SharedArchives;
  /** The service's public URL; null to use the URL of the request. */
  publicUrl: string | null;
  /** The organization's sign-in provider, and the page that leads to it; null if there is none. */
  signInProvider: { name: string; url: string } | null;
  /** Whether the process driver runs here by default, without being configured. */
  processesUnasked: boolean;
  /** Where Pods' pages are for a client that called this origin. */
  podPages(calledOrigin: string): PodPages;
  /** The address of a load-balancing endpoint for a client that called this origin. */
  balancerUrl(endpointId: string, calledOrigin: string): string;
  /** Sends a request to a load-balancing endpoint. */
  callEndpoint(call: CallerRequest): AsyncIterable<ResponseEvent>;
  /** Where clients reach the SSH server; null if it is off. */
  sshAddress(): SshAddress | null;
  /** Where clients reach the S3 interface; null if it is off. */
  s3Url(): string | null;
  changes: Changes;
  revalidation: Revalidation;
  virtualTime: VirtualTime | null;
  installation: () => Promise<Installation>;
  /** Null if this service allows none. */
  troubles: Troubles | null;
}
