// Access to a Pod over SSH, with an SSH key of its account.

import type { Clock } from "../../base/clock.ts";
import { roleCovers } from "../../domain/member/roles.ts";
import { isPodOf } from "../../domain/pod/pod.ts";
import { opensPod } from "../../domain/ssh-key/opens-pod.ts";
import { isSameKey } from "../../domain/ssh-key/public-key.ts";
import type { SshKey } from "../../domain/ssh-key/ssh-key.ts";
import { isDisabled } from "../../store/account/account.ts";
import { topic } from "../../store/engine/notifier.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { findPod } from "../../store/pod/row.ts";
import { hasIdentity } from "../../store/provider-identity/provider-identity.ts";
import { hasSignIn } from "../../store/sign-in/sign-in.ts";
import { listSshKeys } from "../../store/ssh-key/ssh-key.ts";
import { recordConnection } from "../../transactions/ssh-key/record-connection.ts";
import type { LastingAccess } from "../access-watch.ts";

/** A Pod and the key that opens it. */
export interface SshAccess {
  podId: string;
  accountId: string;
  key: Pick<SshKey, "id" | "fingerprint" | "publicKey" | "member">;
}

export interface SshAuthDeps {
  store: Store;
  /** Whether members whom the sign-in provider names need a sign-in that has not ended. */
  sshNeedsSignIn: boolean;
}

/** Null without access; a Pod of another account looks like one that does not exist. */
export async function authorizeSsh(
  { store, sshNeedsSignIn }: SshAuthDeps,
  podId: string,
  key: Buffer,
): Promise<SshAccess | null> {
  const [first] = await store.read(accessesOf, podId, key, sshNeedsSignIn);
  return first ?? null;
}

/** One for each person that has the key and may open the Pod, its owner first. */
function* accessesOf(podId: string, blob: Buffer, needsSignIn: boolean): Tx<SshAccess[]> {
  const pod = yield* findPod(podId);
  if (!pod || !isPodOf(pod, pod.accountId)) return [];
  const { accountId, ownerId } = pod;
  if (yield* isDisabled(accountId)) return [];
  const keys = (yield* listSshKeys(accountId)).filter(
    (key) =>
      isSameKey(key.publicKey, blob) &&
      roleCovers(key.member?.role ?? null, "use", "write") &&
      opensPod(key, pod),
  );
  const isOwners = ({ member }: SshKey) => member !== null && member.id === ownerId;
  const allowed: SshKey[] = [];
  for (const key of keys) if (!needsSignIn || (yield* isSignedIn(key))) allowed.push(key);
  const ordered = allowed.toSorted((a, b) => Number(isOwners(b)) - Number(isOwners(a)));
  return ordered.map((key) => ({ podId, accountId, key }));
}

/** True for keys of the account itself, and of members who never signed in with the provider. */
function* isSignedIn({ member }: SshKey): Tx<boolean> {
  if (member === null || !(yield* hasIdentity(member.id))) return true;
  return yield* hasSignIn(member.id);
}

/** The access as it was given: to one person, even if the key opens the Pod for another too. */
export function lastingSshAccess(
  { store, sshNeedsSignIn }: SshAuthDeps,
  { accountId, podId, key }: SshAccess,
  blob: Buffer,
): LastingAccess {
  const topics = [
    topic.changed(accountId, "sshKey", key.id),
    topic.changed(accountId, "balance", accountId), // the account may be disabled
  ];
  if (key.member) topics.push(topic.changed(accountId, "member", key.member.id));
  return {
    onChange: (listener) => store.notifier.onAny(topics, listener),
    async lasts() {
      const accesses = await store.read(accessesOf, podId, blob, sshNeedsSignIn);
      return accesses.some((access) => access.key.id === key.id);
    },
  };
}

/** Records a connection in the account's audit log. */
export async function recordSshConnection(
  { store, clock }: { store: Store; clock: Clock },
  { accountId, podId, key }: SshAccess,
  address: string,
): Promise<void> {
  await store.write(recordConnection, { accountId, podId, key, address }, clock.now());
}
