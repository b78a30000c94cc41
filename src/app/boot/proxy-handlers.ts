// Request handlers that run before the routes: the proxy to Pods, for clients and for other
// replicas.

import type { Clock } from "../../base/clock.ts";
import type { Logger } from "../../base/log.ts";
import { Terminals } from "../../edge/exec/terminals.ts";
import { ConnectionGuard } from "../../edge/http/connection/connection-guard.ts";
import type { Listeners } from "../../edge/http/listener.ts";
import { PodProxy } from "../../edge/proxy/proxy.ts";
import { Executions } from "../../edge/replica/executions.ts";
import { Tunnels } from "../../edge/replica/tunnel.ts";
import type { LocalTrust } from "../../flows/local-trust.ts";
import type { LogSources } from "../../flows/log/source.ts";
import { Reach } from "../../flows/pod/reach.ts";
import type { Store } from "../../store/engine/store.ts";
import type { Config } from "../config/config.ts";

export interface Proxying {
  proxy: PodProxy;
  listeners: Listeners;
  terminals: Terminals;
  /** Closes connections that are still open. */
  end(): void;
}

interface Deps {
  localTrust: LocalTrust;
  store: Store;
  clock: Clock;
  config: Config;
  log: Logger;
}

export function openProxying(
  { store, clock, config, log, localTrust }: Deps,
  sources: LogSources,
): Proxying {
  const { proxyDomain: domain, apiKey: chosenKey } = config;
  const reach = new Reach({ store, clock, ...sources });
  const proxy = new PodProxy({ reach, domain, chosenKey, log });
  const guard = new ConnectionGuard(clock, config.connectionRules);
  const tunnels = new Tunnels(sources, guard);
  const executions = new Executions(sources, guard);
  const terminals = new Terminals();
  return {
    proxy,
    terminals,
    listeners: {
      interceptor: proxy,
      upgraders: [proxy, tunnels, executions, terminals],
      guard,
      localTrust,
    },
    end() {
      proxy.close();
      tunnels.close();
      executions.close();
    },
  };
}
