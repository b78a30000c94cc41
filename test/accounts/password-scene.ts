// A service with a member that has a password.

import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { Answer, ServiceOptions, TestService } from "../fixtures/service/service.ts";
import { simulatedService } from "../pods/fixture.ts";
import { join } from "./join.ts";

export const PASSWORD = "correct horse battery";

export async function startedWith(t: TestContext, options: ServiceOptions = {}) {
  const service = await simulatedService(t, options);
  const ada = await join(service, "dev", "Ada", "ada@example.org");
  const set = await ada.call("PUT", "/v1/members/me/password", { password: PASSWORD });
  assert.equal(set.status, 200, set.text);
  return { service, ada };
}

export const signIn = (service: TestService, email: string, more: object = {}) =>
  service.call(
    "POST",
    "/v1/session",
    { email, password: PASSWORD, ...more },
    { authorization: "" },
  );

/** The session that an answer began, as the headers of a further request. */
export function cookieOf({ headers }: Answer): Record<string, string> {
  const cookie = headers.get("set-cookie")!.split(";")[0]!;
  return { cookie, authorization: "" };
}

/** The operations of the audit log with their outcomes, the newest first. */
export async function operationsOf(service: TestService): Promise<string[]> {
  const { json } = await service.call("GET", "/v1/audit?limit=200");
  return json.map(({ operation, outcome, detail }: Record<string, string>) =>
    [operation, outcome, detail].filter(Boolean).join(" "),
  );
}
