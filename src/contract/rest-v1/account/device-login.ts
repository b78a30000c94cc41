// Device logins, as the person who decides about one sees it.

import Type, { type Static } from "typebox";
import { instant, name } from "../../fields.ts";
import type { Operations } from "../../operation.ts";

const deviceLogin = Type.Object(
  {
    status: Type.Enum(["PENDING", "APPROVED", "DENIED", "CONSUMED", "EXPIRED"], {
      description: "CONSUMED: the client has its key. EXPIRED: nobody decided in time.",
    }),
    address: Type.String({ description: "The IP address of the client." }),
    agent: Type.String({ description: "The client's User-Agent." }),
    createdAt: instant,
    expiresAt: instant,
  },
  { title: "DeviceLogin" },
);
export type DeviceLogin = Static<typeof deviceLogin>;

const approval = Type.Object(
  {
    name: Type.Optional({
      ...name,
      description: 'The name of the new key; "Flash login" without one.',
    }),
  },
  { title: "DeviceLoginApproval", additionalProperties: false },
);

const path = "/v1/device-logins/{deviceLoginId}";
const tag = "Device logins";
const write = { of: "rest", access: "write", area: "own" } as const;

export const deviceLoginOperations = {
  getDeviceLogin: {
    method: "GET",
    path,
    tag,
    summary: "Read a device login",
    needs: { of: "rest", access: "read", area: "own" },
    answer: { status: 200, description: "The login.", schema: deviceLogin },
  },
  approveDeviceLogin: {
    method: "POST",
    path: `${path}/approve`,
    tag,
    summary: "Approve a device login",
    description:
      "The client gets a new key with the permissions of the key that approves. Approve only a login that you began yourself.",
    needs: write,
    body: approval,
    answer: { status: 200, description: "The login.", schema: deviceLogin },
  },
  denyDeviceLogin: {
    method: "POST",
    path: `${path}/deny`,
    tag,
    summary: "Deny a device login",
    needs: write,
    answer: { status: 200, description: "The login.", schema: deviceLogin },
  },
} as const satisfies Operations;
