// The caller as the answers to a sign-in and to GET /v1/session show it.

import type { FastifyRequest } from "fastify";
import type { Self } from "../../../contract/rest-v1/account/session.ts";
import type { ApiKey } from "../../../domain/account.ts";
import type { Session } from "../../../domain/session.ts";
import type { FlowDeps } from "../../../flows/flow-deps.ts";
import { selfOf } from "../../../flows/session/read.ts";
import type { Troubles } from "../../../flows/trouble/troubles.ts";
import type { Addresses } from "../../management/deps.ts";
import { instant } from "../../management/serve/instant.ts";
import { isOwnName } from "../../proxy/pod-pages.ts";

export interface SelfDeps
  extends Pick<FlowDeps, "store">,
    Pick<Addresses, "podPages" | "publicUrl" | "s3Url"> {
  /** Null if this service allows none. */
  troubles: Troubles | null;
}

export async function readSelf(
  deps: SelfDeps,
  key: ApiKey,
  session: Session | null,
  { protocol, host, hostname }: FastifyRequest,
): Promise<Self> {
  const { id, name, hint, permissions, member } = key;
  const { account, operator, passwordSetAt, totpConfirmedAt } = await selfOf(deps, key);
  const own = session && { sessionId: session.id, expiresAt: instant(session.expiresAt) };
  return {
    account: { id: account.id, name: account.name },
    operator,
    faults: operator && deps.troubles !== null && !deps.troubles.isForbidden,
    key: { id, name, hint, permissions },
    // The public URL may lead elsewhere from the machine itself.
    ...deps.podPages((!isOwnName(hostname) && deps.publicUrl) || `${protocol}://${host}`),
    s3Url: deps.s3Url(),
    ...(member && {
      memberId: member.id,
      role: member.role,
      password: passwordSetAt === null ? null : { setAt: instant(passwordSetAt) },
      totp: totpConfirmedAt === null ? null : { confirmedAt: instant(totpConfirmedAt) },
    }),
    ...own,
  };
}

export function sessionOf({ principal }: FastifyRequest): Session | null {
  return principal?.kind === "account" ? principal.session : null;
}
