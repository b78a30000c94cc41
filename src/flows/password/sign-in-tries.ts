// The count of tries. It is not part of the audited action, so it has the store without the audit log.

import type { Clock } from "../../base/clock.ts";
import type { Vault } from "../../base/vault.ts";
import type { Store } from "../../store/engine/store.ts";
import {
  countMemberTry,
  countSignInTry,
  forgiveMember,
  type TriedPasswords,
} from "../../transactions/password/count-try.ts";
import { throwRefusal } from "../throw-refusal.ts";

interface Deps {
  store: Store;
  clock: Clock;
  vault: Vault;
}

interface SignInTry {
  email: string;
  accountId: string | null;
  address: string;
  /** The network of the address. */
  network: string;
}

export class SignInTries {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Counts a try to sign in, and reads the passwords that it may be. Throws a fault past a limit. */
  begin({ email, accountId, address, network }: SignInTry): Promise<TriedPasswords> {
    const { store, clock, vault } = this.#deps;
    // A guessed address may be long, and none is a member's.
    const unknown = `email:${vault.digest(email)}`;
    const attempt = { email, accountId, address, network: `network:${network}`, unknown };
    return throwRefusal(store.write(countSignInTry, attempt, clock.now()));
  }

  /** Counts a try of a signed-in member. */
  async beginOf(memberId: string, accountId: string, address: string): Promise<void> {
    const { store, clock } = this.#deps;
    await throwRefusal(store.write(countMemberTry, { memberId, accountId }, address, clock.now()));
  }

  async forgive(memberId: string): Promise<void> {
    await this.#deps.store.write(forgiveMember, memberId);
  }
}
