// The balancer: forwards requests to the HTTP servers of load-balancing endpoints' workers. It takes
// requests by Host header, or by path on the proxy's own listener. Every request needs an API key.

import type { Duplex } from "node:stream";
import type { Clock } from "../../base/clock.ts";
import type { Logger } from "../../base/log.ts";
import { type Ready, whenReady } from "../../base/ready.ts";
import type { ApiKey } from "../../domain/account.ts";
import {
  mayHaveArrived,
  type Unreached,
  unreached,
} from "../../domain/container/unreachable-port.ts";
import { Fault } from "../../domain/fault.ts";
import type { RequestLimits } from "../../domain/rate/limits.ts";
import { WORKER_HEADER } from "../../domain/serving/affinity.ts";
import type { ServingMetrics } from "../../flows/metrics/serving-metrics.ts";
import type {
  Dispatcher,
  Lease,
  LeaseRequest,
  ReadyWorker,
} from "../../flows/serving/dispatcher.ts";
import { OwnKeys } from "../http/auth/own-credentials.ts";
import type { PlainInterceptor, Upgrade, Upgrader } from "../http/listener.ts";
import type { InboundRequest, ResponseWriter } from "../http/plain/exchange.ts";
import { isPreflight } from "../http/request/cross-origin.ts";
import { poolFor } from "../proxy/connection/connection-pool.ts";
import { canSendAgain, forward } from "../proxy/forward/forward.ts";
import { HostCache } from "../proxy/host-cache.ts";
import { isSafe } from "../proxy/proxy.ts";
import { addressOf, isOverTls, ownPath, type ProxyRequest } from "../proxy/proxy-request.ts";
import { hostName } from "../proxy/proxy-target.ts";
import { refuse } from "../proxy/refusal.ts";
import { forwardUpgrade, responseOn } from "../proxy/upgrade.ts";
import { type BalancerDomains, endpointOfHost, endpointOfPath, noEndpoint } from "./address.ts";
import { type AuthorizeDeps, authorizeCall, authorizeKey, watchCall } from "./authorize.ts";
import {
  Call,
  type CallRecorder,
  countTry,
  isWithinLimits,
  NO_TRIES,
  refuseCall,
  type Tries,
} from "./call.ts";
import { limitCall, limitsOf, refuseLarge } from "./call-limits.ts";
import { answerPreflight, questionOf } from "./preflight.ts";
import { requestedWorker } from "./requested-worker.ts";

export interface BalancerOptions extends AuthorizeDeps {
  dispatcher: Dispatcher;
  metrics: ServingMetrics;
  domains: BalancerDomains;
  /** Limits of each request; null for none. */
  limits: RequestLimits | null;
  /** A configured key, which need not have the form of a generated one. */
  chosenKey: string | null;
  clock: Clock;
  log: Logger;
}

/** Where a request goes, without its worker. */
interface Address {
  endpointId: string;
  path: string;
  prefix: string | null;
  host: string;
  /** The key of a caller that is authenticated already; without one, the request carries it. */
  key?: ApiKey;
}

export class Balancer implements PlainInterceptor, Upgrader {
  readonly #options: BalancerOptions;
  readonly #keys: OwnKeys;
  readonly #hosts: HostCache<{ host: string; endpointId: string | null }>;
  readonly #upgraded = new Set<Duplex>();
  readonly #recorder: CallRecorder;

  constructor(options: BalancerOptions) {
    this.#options = options;
    this.#keys = new OwnKeys(options.chosenKey);
    this.#hosts = new HostCache((host) => {
      const found = endpointOfHost(host, options.domains);
      return found && { host, endpointId: found.endpointId };
    });
    const { tracker } = options.dispatcher;
    options.metrics.exportInFlight(() => tracker.counts());
    this.#recorder = {
      record(endpointId, ended) {
        options.metrics.record(endpointId, ended);
        tracker.record(endpointId, ended);
      },
    };
  }

  takes({ headers: { host } }: InboundRequest): boolean {
    return this.#hosts.has(host);
  }

  takesUpgrade(request: InboundRequest): boolean {
    return this.takes(request) && isSafe(request);
  }

  /** A worker's page may not call the service. */
  isPage(origin: string): boolean {
    return this.#hosts.hasOrigin(origin);
  }

  handle(request: InboundRequest, response: ResponseWriter): void {
    this.#answer(request, response, this.#byName(request));
  }

  /** `path` is that of the request's URL, with the query. */
  handlePath(path: string, request: InboundRequest, response: ResponseWriter): void {
    this.#answer(request, response, this.#byPath(path, request));
  }

  /** Sends a request as the owner of a key. Its URL is the path and query at the worker. */
  handleFor(key: ApiKey, endpointId: string, request: InboundRequest, response: ResponseWriter) {
    const host = hostName(request.headers.host ?? "");
    this.#answer(request, response, { endpointId, path: request.url!, prefix: null, host, key });
  }

  upgrade(upgrade: Upgrade): void {
    this.#answerUpgrade(upgrade, this.#byName(upgrade.request));
  }

  upgradePath(path: string, upgrade: Upgrade): void {
    this.#answerUpgrade(upgrade, this.#byPath(path, upgrade.request));
  }

  /** Closes all connections. */
  close(): void {
    this.#options.dispatcher.close();
    for (const socket of this.#upgraded) socket.destroy();
  }

  #byName(request: InboundRequest): Address | Fault {
    const { host, endpointId } = this.#hosts.of(request.headers.host!)!;
    if (endpointId === null) return noEndpoint(host);
    const path = ownPath(request.url!, host);
    if (path !== null) return { endpointId, path, prefix: null, host };
    const detail = `its URL has another host than its Host header, ${host}`;
    return new Fault("invalid_http", { detail });
  }

  #byPath(path: string, { url, headers }: InboundRequest): Address | Fault {
    const address = endpointOfPath(path);
    if (address === null) return noEndpoint(url!.split("?")[0]!);
    const { endpointId, prefix, rest } = address;
    return { endpointId, path: rest, prefix, host: hostName(headers.host ?? "") };
  }

  #answer(request: InboundRequest, response: ResponseWriter, address: Address | Fault): void {
    const stop = (fault: Fault) => refuseCall(request, response, fault);
    if (address instanceof Fault) return void stop(address);
    if (isPreflight(request)) return void this.#passPreflight(request, response, address);
    const call = new Call(request, response, this.#recorder);
    const end = endOf(call, stop);
    let isLimited = false;
    this.#dispatch(call, address, end, (lease, target, failed) => {
      if (!isLimited) limitCall(this.#options.clock, call, end);
      isLimited = true;
      forward(poolFor(lease.connection), target, request, response, failed);
    });
  }

  #passPreflight(request: InboundRequest, response: ResponseWriter, address: Address): void {
    const { authCache, dispatcher } = this.#options;
    const answer = () => answerPreflight(request, response);
    const passed = whenReady(authCache.endpoint(address.endpointId), (endpoint) => {
      if (endpoint?.spec.type !== "LB") return answer();
      return whenReady(dispatcher.readyWorker(endpoint.id), (worker) => {
        if (!worker) return answer();
        const { added: _, ...target } = this.#target(request, address, worker, () => {});
        forward(poolFor(worker.connection), target, questionOf(request), response, answer);
      });
    });
    if (passed instanceof Promise) passed.catch(answer);
  }

  #answerUpgrade(upgrade: Upgrade, address: Address | Fault): void {
    const { request, socket } = upgrade;
    this.#upgraded.add(socket);
    socket.once("close", () => this.#upgraded.delete(socket));
    socket.on("error", () => {}); // a close event follows
    const stop = (fault: Fault) => refuse(request, responseOn(request, socket), fault);
    if (address instanceof Fault) return void stop(address);
    const call = new Call(request, socket, this.#recorder);
    this.#dispatch(call, address, endOf(call, stop), (lease, target, failed) => {
      forwardUpgrade(poolFor(lease.connection), target, upgrade, failed);
    });
  }

  #dispatch(call: Call, address: Address, end: (fault: Fault) => void, send: Send): void {
    this.#attempt(call, end, () =>
      whenReady(this.#authorize(call, address, end), (wanted) =>
        this.#send({ call, address, end, send }, wanted, NO_TRIES),
      ),
    );
  }

  /** Authorizes the call; the result asks for its workers, one after another. */
  #authorize(
    call: Call,
    { endpointId, key }: Address,
    end: (fault: Fault) => void,
  ): Ready<LeaseRequest> {
    const { limits } = this.#options;
    const { request } = call;
    const affinity = requestedWorker(request);
    const authorized =
      key === undefined
        ? authorizeCall(this.#options, endpointId, request)
        : authorizeKey(this.#options, endpointId, key, request);
    return whenReady(authorized, (endpoint): LeaseRequest => {
      if (endpoint.spec.type !== "LB") throw new Fault("not_load_balancing", { id: endpoint.id });
      call.endpointId = endpoint.id;
      call.limits = limitsOf(limits, endpoint);
      refuseLarge(call.limits, request);
      // The route that has authenticated the caller watches them, too.
      if (key === undefined) watchCall(this.#options, call, endpoint, end);
      return { endpoint, affinity, signal: () => call.signal };
    });
  }

  #send(dispatch: Dispatch, wanted: LeaseRequest, tries: Tries): Ready<void> {
    const { call, address, end, send } = dispatch;
    return whenReady(this.#options.dispatcher.lease(wanted), (lease) => {
      call.take(lease);
      if (call.isOver || call.isAnswered) return;
      const onHead = (status: number) => call.answered(status);
      send(lease, this.#target(call.request, address, lease, onHead), (why) => {
        if (mayHaveArrived(why)) lease.avoid();
        else lease.markDown();
        const total = countTry(tries, why);
        if (isWithinLimits(total) && canSendAgain(call.request, why)) {
          this.#attempt(call, end, () => this.#send(dispatch, wanted, total));
        } else end(new Fault("worker_failed", { id: lease.workerId, why: sentenceOf(why) }));
      });
    });
  }

  #attempt(call: Call, end: (fault: Fault) => void, run: () => Ready<void>): void {
    const fail = (error: unknown) => this.#fail(error, call, end);
    try {
      const running = run();
      if (running instanceof Promise) running.catch(fail);
    } catch (error) {
      fail(error);
    }
  }

  #target(
    request: InboundRequest,
    { path, prefix, host }: Address,
    { workerId, connection }: ReadyWorker,
    onHead: (status: number) => void,
  ): ProxyRequest {
    return {
      podId: workerId,
      port: connection.port,
      host,
      prefix,
      keys: this.#keys,
      path: this.#keys.stripKeys(path),
      from: addressOf(request),
      isTls: isOverTls(request),
      added: [WORKER_HEADER, workerId],
      onHead,
    };
  }

  #fail(error: unknown, call: Call, end: (fault: Fault) => void): void {
    if (call.isOver) return;
    if (error instanceof Fault) return void end(error);
    const endpoint = call.endpointId ?? "unknown";
    this.#options.log.error({ err: error, endpoint }, "a request to a worker failed");
    end(new Fault("internal", { ref: endpoint }));
  }
}

interface Dispatch {
  call: Call;
  address: Address;
  end: (fault: Fault) => void;
  send: Send;
}

/** A call that the service has answered gets no second answer. */
const endOf = (call: Call, stop: (fault: Fault) => void) => (fault: Fault) => {
  if (call.refused(fault.status)) stop(fault);
};

type Send = (lease: Lease, target: ProxyRequest, failed: (why: Unreached) => void) => void;

/** The reasons of a Pod's port, for a worker. */
const sentenceOf = (why: Unreached) =>
  unreached[why].replace(/^the Pod /, "it ").replace(/^its container/, "its container");
