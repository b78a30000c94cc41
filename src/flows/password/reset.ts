// Links that set a member's password.

import { hashSecret } from "../../base/ids.ts";
import type { ApiKey } from "../../domain/account.ts";
import { Fault } from "../../domain/fault.ts";
import type { Member } from "../../domain/member/member.ts";
import { RESET_LINK_MS } from "../../domain/password/password.ts";
import { needsCode } from "../../domain/password/totp.ts";
import { withFullAccess } from "../../transactions/api-key/with-full-access.ts";
import { addReset, openReset, useReset } from "../../transactions/password/reset.ts";
import type { SignedIn } from "../session/sign-in.ts";
import { throwRefusal } from "../throw-refusal.ts";
import { checkCode } from "./one-time-code.ts";
import { type PasswordDeps, requirePasswords, requireUsable } from "./passwords.ts";
import { newSession, type SignInSource } from "./sign-in.ts";

interface ResetRequest {
  by: ApiKey;
  memberId: string;
  removeTotp: boolean;
  /** The link with a token. */
  urlWith(token: string): string;
}

export interface NewReset {
  url: string;
  expiresAt: number;
  /** Whether it is also sent to the member. */
  mailed: boolean;
}

export async function makeReset(
  deps: PasswordDeps,
  { by, memberId, removeTotp, urlWith }: ResetRequest,
): Promise<NewReset> {
  const { mail, issuer } = requirePasswords(deps);
  const token = deps.ids.secret("fhr_");
  const expiresAt = deps.clock.now() + RESET_LINK_MS;
  const reset = { memberId, accountId: by.accountId, removeTotp, expiresAt };
  const add = () => addReset(reset, hashSecret(token), issuer);
  const member = await throwRefusal(deps.store.write(withFullAccess<Member>, by, add, memberId));
  const url = urlWith(token);
  mail?.(member.email, "Set your password", mailText(url));
  return { url, expiresAt, mailed: mail !== null };
}

const mailText = (url: string) => `Open this link within an hour to set your password:

${url}

It works once. An administrator of your account asked for it.
`;

interface ResetUse extends SignInSource {
  token: string;
  password: string;
  code?: string | undefined;
}

/** The link stays valid if the new password or the code is refused. */
export async function setByReset(deps: PasswordDeps, request: ResetUse): Promise<SignedIn> {
  const { hasher, tries, issuer } = requirePasswords(deps);
  const { store, clock, vault } = deps;
  const { token, password, code, address } = request;
  const tokenHash = hashSecret(token);
  const { member, reset, totp } = await throwRefusal(store.read(openReset, tokenHash, clock.now()));
  await requireUsable(password, member);
  if (needsCode(totp) && !reset.removeTotp && code === undefined) throw new Fault("code_required");
  if (code !== undefined) await tries.beginOf(member.id, member.accountId, address);
  const { opening, secret } = newSession(deps, request, { byReset: true });
  const use = {
    tokenHash,
    reset,
    passwordHash: await hasher.hash(password),
    code: await checkCode(vault, totp, code, clock.now()),
    opening,
    issuer,
  };
  return { ...(await throwRefusal(store.write(useReset, use))), secret };
}
