// The events for new access to an account: a session of the console, or an API key. Pure.

import type { ApiKey } from "../account.ts";
import type { Session } from "../session.ts";
import { type AccountEvent, accountEvent, named } from "./event.ts";

/** Where a request came from; empty if it is not known. */
const from = (address: string) => (address === "" ? "" : ` from ${address}`);

export function signedIn(
  { id, createdAt, agent, address }: Session,
  key: Pick<ApiKey, "id" | "name">,
): AccountEvent {
  return accountEvent({
    type: "sign_in",
    at: createdAt,
    summary: `New sign-in to the console with the key ${named(key.name, key.id)}${from(address)}.`,
    resource: { type: "session", id, name: "" },
    details: { keyId: key.id, address, userAgent: agent },
  });
}

export function keyCreated(
  { id, name, createdAt }: Pick<ApiKey, "id" | "name" | "createdAt">,
  by: Pick<ApiKey, "id" | "name">,
  address: string,
): AccountEvent {
  return accountEvent({
    type: "key_created",
    at: createdAt,
    summary: `New API key ${named(name, id)}, created with the key ${named(by.name, by.id)}${from(address)}.`,
    resource: { type: "key", id, name },
    details: { createdWithKeyId: by.id, address },
  });
}
