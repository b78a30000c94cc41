// The parts that the service is composed of.

import type { FastifyBaseLogger } from "fastify";
import type { Clock } from "../base/clock.ts";
import type { Ids } from "../base/ids.ts";
import type { ServedCertificate } from "../certificates/served-certificate.ts";
import type { Config } from "../config/config.ts";
import type { PricedCatalog } from "../domain/catalog/prices.ts";
import type { Tracer } from "../domain/trace/span.ts";
import type { LocalTrust } from "../flows/local-trust.ts";
import type { OidcProvider } from "../flows/sign-in/oidc-provider.ts";
import type { Troubles } from "../flows/trouble/troubles.ts";
import type { Loop } from "../loops/engine/loop.ts";
import type { Store } from "../store/engine/store.ts";
import type { OpenVirtualTime } from "./clock/virtual-time.ts";
import type { StartSteps } from "./start-steps.ts";

export interface Parts {
  config: Config;
  store: Store;
  localTrust: LocalTrust;
  clock: Clock;
  /** Null if the service follows the system's clock. */
  virtualTime: OpenVirtualTime | null;
  /** The organization's sign-in provider; null if there is none. */
  provider: OidcProvider | null;
  /** The faults that tests switch on; null if the service allows none. */
  troubles: Troubles | null;
  catalog: PricedCatalog;
  /** The loops that keep the clock and the prices up to date. */
  keeping: Loop[];
  ids: Ids;
  log: FastifyBaseLogger;
  /** What the start does, until it is over. */
  steps: StartSteps;
  /** The key that workers' secrets are derived from; 64 hexadecimal digits. */
  secretKey: string;
  /** The store's id, which its data folders and its containers carry too. */
  installation: string;
  /** The machine this replica runs on. */
  machine: string;
  env: Record<string, string | undefined>;
  /** What all listeners serve; null without TLS. */
  certificate: ServedCertificate | null;
  /** The root of the local authority in PEM form; null without one. */
  localRoot: (() => string) | null;
  /** How many orders of a certificate failed in a row. */
  failedOrders: () => number;
  /** Records spans; null if tracing is off. */
  tracer: Tracer | null;
}
