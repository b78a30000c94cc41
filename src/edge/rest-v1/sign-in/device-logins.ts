// Routes of /v1/device-logins.

import type { FastifyInstance } from "fastify";
import {
  type DeviceLogin,
  deviceLoginOperations,
} from "../../../contract/rest-v1/account/device-login.ts";
import type { FlowDeps } from "../../../flows/flow-deps.ts";
import {
  type DeviceLoginView,
  decideLogin,
  readLogin,
} from "../../../flows/session/device-login.ts";
import { instant } from "../../management/serve/instant.ts";
import { serveOperations } from "../../management/serve/serve.ts";

const USUAL_NAME = "Flash login";

export function deviceLoginRoutes(app: FastifyInstance, deps: FlowDeps): void {
  serveOperations(app, deviceLoginOperations, {
    getDeviceLogin: async ({ params }) => loginRead(await readLogin(deps, params.deviceLoginId)),
    async approveDeviceLogin({ key, params, body: { name = USUAL_NAME, ...rest } }) {
      rest satisfies Record<string, never>;
      return loginRead(await decideLogin(deps, key, params.deviceLoginId, name));
    },
    denyDeviceLogin: async ({ key, params }) =>
      loginRead(await decideLogin(deps, key, params.deviceLoginId, null)),
  });
}

function loginRead({ status, address, agent, createdAt, expiresAt }: DeviceLoginView): DeviceLogin {
  return {
    status,
    address,
    agent,
    createdAt: instant(createdAt),
    expiresAt: instant(expiresAt),
  };
}
