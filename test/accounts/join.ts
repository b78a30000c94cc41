// Inviting people into the account of a service.

import assert from "node:assert/strict";
import type { TestService } from "../fixtures/service/service.ts";

export async function invite(service: TestService, role: string, email = `${role}@example.org`) {
  const { status, json, text } = await service.call("POST", "/v1/invitations", { email, role });
  assert.equal(status, 201, text);
  return json as { id: string; token: string; link: string; expiresAt: string };
}

/** Two people of one role need an `email` each. */
export async function join(service: TestService, role: string, name?: string, email?: string) {
  const { token } = await invite(service, role, email);
  const { status, json, text } = await service.call(
    "POST",
    "/v1/invitations/accept",
    { token, ...(name && { name }) },
    { authorization: "" },
  );
  assert.equal(status, 201, text);
  const call = (method: string, path: string, body?: unknown) =>
    service.call(method, path, body, { authorization: `Bearer ${json.key}` });
  return { ...json, call } as {
    member: { id: string; name: string; email: string; role: string };
    key: string;
    keyId: string;
    call: TestService["call"];
  };
}
