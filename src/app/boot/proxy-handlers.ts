// Request handlers that run before the routes: the proxy to Pods, for clients and for other
// replicas, and the balancer.

import type { Clock } from "../../base/clock.ts";
import type { Logger } from "../../base/log.ts";
import type { ServedCertificate } from "../../certificates/served-certificate.ts";
import type { Config } from "../../config/config.ts";
import { isLoopbackHost } from "../../config/network/public-address.ts";
import { type BalancerDomains, USUAL_BALANCER_DOMAIN } from "../../edge/balancer/address.ts";
import { Balancer } from "../../edge/balancer/balancer.ts";
import { balancerUrl } from "../../edge/balancer/balancer-urls.ts";
import { callAsEvents } from "../../edge/balancer/call-as-events.ts";
import { Terminals } from "../../edge/exec/terminals.ts";
import { ConnectionGuard } from "../../edge/http/connection/connection-guard.ts";
import type { Listeners } from "../../edge/http/listener.ts";
import { firstOf, plainHandlerOf } from "../../edge/http/routes/interceptors.ts";
import type { CallerRequest, ResponseEvent } from "../../edge/management/endpoint/endpoint-call.ts";
import { type PodPages, podPages } from "../../edge/proxy/pod-pages.ts";
import { PodProxy } from "../../edge/proxy/proxy.ts";
import { Executions } from "../../edge/replica/executions.ts";
import { Tunnels } from "../../edge/replica/tunnel.ts";
import type { AuthCache } from "../../flows/auth-cache.ts";
import { readFlashEndpoint } from "../../flows/flash-app/find-endpoint.ts";
import type { LocalTrust } from "../../flows/local-trust.ts";
import type { ProcessMetrics } from "../../flows/metrics/process-metrics.ts";
import { ServingMetrics } from "../../flows/metrics/serving-metrics.ts";
import { Reach } from "../../flows/pod/reach.ts";
import type { LogSources } from "../../flows/replica/log-source.ts";
import { Dispatcher } from "../../flows/serving/dispatcher.ts";
import type { Store } from "../../store/engine/store.ts";

export interface Proxying {
  proxy: PodProxy;
  balancer: Balancer;
  /** The address of a load-balancing endpoint for a client that called this origin. */
  balancerUrl(endpointId: string, calledOrigin: string): string;
  /** Where Pods' pages are for a client that called this origin. */
  podPages(calledOrigin: string): PodPages;
  /** Sends a request to a load-balancing endpoint. */
  callEndpoint(call: CallerRequest): AsyncIterable<ResponseEvent>;
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
  authCache: AuthCache;
  metrics: ProcessMetrics;
  replicaId: string;
  certificate: ServedCertificate | null;
}

export function openProxying(deps: Deps, sources: LogSources): Proxying {
  const { store, clock, config, log, localTrust } = deps;
  const { proxyDomain: domain, apiKey: chosenKey } = config;
  const reach = new Reach({ store, clock, ...sources });
  const proxy = new PodProxy({ reach, domain, chosenKey, log });
  const balancer = openBalancer(deps, sources);
  const guard = new ConnectionGuard(clock, config.connectionRules);
  const tunnels = new Tunnels(sources, guard);
  const executions = new Executions(sources, guard);
  const terminals = new Terminals();
  const isPathLocal = config.proxyListen === null || isLoopbackHost(config.proxyListen.host);
  return {
    proxy,
    balancer,
    balancerUrl(endpointId, calledOrigin) {
      const { pathOrigin } = proxy;
      const place = { domain: config.balancerDomain, pathOrigin, isPathLocal };
      return balancerUrl(place, endpointId, calledOrigin);
    },
    podPages(calledOrigin) {
      const place = { domain, pathOrigin: proxy.pathOrigin, isPathLocal };
      return podPages(place, new URL(calledOrigin));
    },
    callEndpoint: (call) => callAsEvents(balancer, call),
    terminals,
    listeners: {
      interceptor: firstOf([proxy, balancer]),
      plain: [proxy, balancer].map(plainHandlerOf),
      upgraders: [proxy, balancer, tunnels, executions, terminals],
      guard,
      localTrust,
      tls: deps.certificate,
    },
    end() {
      proxy.close();
      balancer.close();
      tunnels.close();
      executions.close();
    },
  };
}

function openBalancer(
  { store, clock, config, log, authCache, metrics, replicaId }: Deps,
  sources: LogSources,
): Balancer {
  const { protocol, rateLimits, apiKey: chosenKey } = config;
  return new Balancer({
    dispatcher: new Dispatcher({ store, clock, replicaId, protocol, ...sources }),
    metrics: new ServingMetrics(metrics.registry),
    domains: balancerDomains(config),
    limits: rateLimits.requests,
    readFlashEndpoint: (accountId, wanted) => readFlashEndpoint({ store }, accountId, wanted),
    authCache,
    chosenKey,
    clock,
    log,
  });
}

function balancerDomains({ balancerDomain, publicUrl }: Config): BalancerDomains {
  const own = [...(balancerDomain === null ? [] : [balancerDomain]), USUAL_BALANCER_DOMAIN];
  const api = [...(publicUrl === null ? [] : [new URL(publicUrl).hostname]), "localhost"];
  return { own, api };
}
