// What flows of passwords share: the hashes, the count of tries, and how an installation uses passwords.

import type { Vault } from "../../base/vault.ts";
import type { ApiKey } from "../../domain/account.ts";
import { Fault } from "../../domain/fault.ts";
import type { Member } from "../../domain/member/member.ts";
import { complaintAbout } from "../../domain/password/password.ts";
import type { Protocol } from "../../domain/protocol.ts";
import type { FlowDeps } from "../flow-deps.ts";
import { memberOfKey } from "../member/read.ts";
import type { PasswordHasher } from "./password-hasher.ts";
import type { SignInTries } from "./sign-in-tries.ts";

export interface Passwords {
  hasher: PasswordHasher;
  tries: SignInTries;
  /** The organization's provider, whose people have no password here; null if there is none. */
  issuer: string | null;
  /** Sends a text to an address in the background; null without a mail server. */
  mail: ((to: string, subject: string, text: string) => void) | null;
}

export interface PasswordDeps extends FlowDeps {
  vault: Vault;
  protocol: Pick<Protocol, "sessionMs">;
  /** Null if the installation has no passwords. */
  passwords: Passwords | null;
}

export function requirePasswords({ passwords }: Pick<PasswordDeps, "passwords">): Passwords {
  if (passwords) return passwords;
  throw new Fault("passwords_off");
}

/** The member of a key, who alone has a password. */
export async function requireMember(deps: PasswordDeps, by: ApiKey): Promise<Member> {
  const member = await memberOfKey(deps, by);
  if (member) return member;
  const detail =
    "Your key belongs to the account and not to a member; only members have passwords.";
  throw new Fault("forbidden", { detail });
}

export async function requireUsable(
  password: string,
  member: Pick<Member, "email" | "name">,
): Promise<void> {
  const tried = "is one of the commonest, which are tried first; choose another";
  const detail = complaintAbout(password, member) ?? ((await isCommon(password)) ? tried : null);
  if (detail !== null) throw new Fault("password_refused", { detail });
}

/** Loaded with the first new password: the list takes megabytes, and most starts set none. */
let common: Promise<ReadonlySet<string>> | null = null;

async function isCommon(password: string): Promise<boolean> {
  common ??= readList();
  return (await common).has(password.normalize("NFC").toLowerCase());
}

async function readList(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  return new Set(dictionary["passwords-common"]);
}
