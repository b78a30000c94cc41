// What the management interface's routes are given. Each passes on to a flow what that one asks.

import type { Clock } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import type { Vault } from "../../base/vault.ts";
import type { PricedCatalog } from "../../domain/catalog/prices.ts";
import type { Protocol } from "../../domain/protocol.ts";
import type { Rhythm } from "../../domain/replica/rhythm.ts";
import type { Changes } from "../../flows/change/changes.ts";
import type { EndpointRules } from "../../flows/endpoint/check.ts";
import type { LogSources } from "../../flows/log/source.ts";
import type { RateLimits } from "../../flows/rate-limits.ts";
import type { Store } from "../../store/store.ts";
import type { Terminals } from "../exec/terminals.ts";
import type { Admission } from "../http/admission.ts";
import type { Polls } from "../http/polls.ts";

export interface RestDeps extends EndpointRules, LogSources {
  catalog: PricedCatalog;
  store: Store;
  clock: Clock;
  ids: Ids;
  protocol: Protocol;
  rhythm: Rhythm;
  polls: Polls;
  terminals: Terminals;
  vault: Vault;
  rates: RateLimits;
  /** Where others reach the service; null where that is how they came. */
  publicUrl: string | null;
  /** Whether processes run here although nobody asked for them. */
  processesUnasked: boolean;
  /** Null where Pods' pages have no domain of their own. */
  proxyDomain: string | null;
  changes: Changes;
  admission: Admission;
}
