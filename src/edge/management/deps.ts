// What the handlers of the management interfaces need beside the dependencies of their flows.

import type { IncomingMessage } from "node:http";
import type { Vault } from "../../base/vault.ts";
import type { Catalog } from "../../domain/catalog/catalog.ts";
import type { FlowDeps } from "../../flows/flow-deps.ts";
import type { Execution } from "../../flows/pod/exec.ts";
import type { Revalidation } from "../http/auth/revalidate.ts";
import type { Polls } from "../http/held-requests.ts";
import type { PodPages } from "../proxy/pod-pages.ts";

export interface VaultDeps extends FlowDeps {
  vault: Vault;
}

export interface CatalogDeps extends FlowDeps {
  catalog: Catalog;
}

/** What ends a response that stays open: the stop of the service, or the end of the caller's permission. */
export interface StreamDeps {
  polls: Polls;
  revalidation: Revalidation;
}

/** Where clients reach the service and what runs on it. */
export interface Addresses {
  /** The service's public URL; null to use the URL of the request. */
  publicUrl: string | null;
  /** Where Pods' pages are for a client that called this origin. */
  podPages(calledOrigin: string): PodPages;
  /** The address of a load-balancing endpoint for a client that called this origin. */
  balancerUrl(endpointId: string, calledOrigin: string): string;
  /** Where clients reach the SSH server; null if it is off. */
  sshAddress(): SshAddress | null;
  /** Where clients reach the S3 interface; null if it is off. */
  s3Url(): string | null;
}

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
