// The listener that routes by path: /<pod>/<port>/... to Pods and /lb/<endpoint>/... to load-balancing
// endpoints. It is for programs whose resolver does not resolve names below localhost.

import type { Server } from "node:http";
import { isBalancerPath } from "../balancer/address.ts";
import type { Balancer } from "../balancer/balancer.ts";
import { plainHandlerOf } from "../http/connection/interceptors.ts";
import { type Listeners, listener, type PlainInterceptor } from "../http/listener.ts";
import { isSafe, type PodProxy } from "./proxy.ts";

export function pathServer(
  { proxy, balancer }: { proxy: PodProxy; balancer: Balancer },
  rules: Pick<Listeners, "guard" | "localTrust">,
): Server {
  const { guard, localTrust } = rules;
  const interceptor: PlainInterceptor = {
    takes: () => true,
    isPage: () => false,
    handle: (request, response) =>
      (isBalancerPath(request.url!) ? balancer : proxy).handlePath(request, response),
  };
  return listener(() => {}, {
    interceptor,
    plain: [plainHandlerOf(interceptor)],
    upgraders: [
      {
        takesUpgrade: isSafe,
        upgrade: (upgrade) =>
          (isBalancerPath(upgrade.request.url!) ? balancer : proxy).upgradePath(upgrade),
      },
    ],
    guard,
    localTrust,
  });
}
