// The listener that routes by path: /<pod>/<port>/... to Pods and /lb/<endpoint>/... to load-balancing
// endpoints. It is for programs whose resolver does not resolve names below localhost.

import type { Server } from "node:http";
import { type Listeners, listener, type PlainInterceptor } from "../http/listener.ts";
import { stripOrigin } from "../http/normalize-url.ts";
import { plainHandlerOf } from "../http/routes/interceptors.ts";
import { isSafe, type PodProxy } from "../proxy/proxy.ts";
import { isBalancerPath } from "./address.ts";
import type { Balancer } from "./balancer.ts";

export function pathServer(
  { proxy, balancer }: { proxy: PodProxy; balancer: Balancer },
  rules: Pick<Listeners, "guard" | "localTrust" | "tls">,
): Server {
  const { guard, localTrust, tls } = rules;
  const interceptor: PlainInterceptor = {
    takes: () => true,
    isPage: () => false,
    handle(request, response) {
      const path = stripOrigin(request.url!);
      (isBalancerPath(path) ? balancer : proxy).handlePath(path, request, response);
    },
  };
  return listener(() => {}, {
    interceptor,
    plain: [plainHandlerOf(interceptor)],
    upgraders: [
      {
        takesUpgrade: isSafe,
        upgrade(upgrade) {
          const path = stripOrigin(upgrade.request.url!);
          (isBalancerPath(path) ? balancer : proxy).upgradePath(path, upgrade);
        },
      },
    ],
    guard,
    localTrust,
    tls,
  });
}
