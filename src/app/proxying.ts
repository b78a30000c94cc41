// What answers in the routes' place: the proxy to Pods, here and for other replicas.

import type { FastifyBaseLogger } from "fastify";
import type { Clock } from "../base/clock.ts";
import { Terminals } from "../edge/exec/terminals.ts";
import type { Listeners } from "../edge/http/listener.ts";
import { PodProxy } from "../edge/proxy/proxy.ts";
import { Executions } from "../edge/replica/executions.ts";
import { Tunnels } from "../edge/replica/tunnel.ts";
import type { LogSources } from "../flows/log/source.ts";
import { Reach } from "../flows/pod/reach.ts";
import type { Store } from "../store/store.ts";
import type { Config } from "./config.ts";

export interface Proxying {
  proxy: PodProxy;
  listeners: Listeners;
  terminals: Terminals;
  /** Breaks off what is still being passed on. */
  end(): void;
}

interface Deps {
  store: Store;
  clock: Clock;
  config: Config;
  log: FastifyBaseLogger;
}

export function openProxying({ store, clock, config, log }: Deps, sources: LogSources): Proxying {
  const { proxyDomain: domain, apiKey: chosenKey } = config;
  const reach = new Reach({ store, clock, ...sources });
  const proxy = new PodProxy({ reach, domain, chosenKey, log });
  const tunnels = new Tunnels(sources);
  const executions = new Executions(sources);
  const terminals = new Terminals();
  return {
    proxy,
    terminals,
    listeners: { first: proxy, upgraders: [proxy, tunnels, executions, terminals] },
    end() {
      proxy.close();
      tunnels.close();
      executions.close();
    },
  };
}
