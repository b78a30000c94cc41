// The count of tries. It is not part of the audited action, so it has the store without the audit log.

import type { Clock } from "../../base/clock.ts";
import type { Vault } from "../../base/vault.ts";
import type { Store } from "../../store/engine/store.ts";
import {
  countMemberTry,
  countSignInTry,
  forgiveMemberTry,
  forgiveSignIn,
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
    // What was typed as an address may be long, or a password.
    const subjects = { network: `network:${network}`, email: `email:${vault.digest(email)}` };
    const attempt = { email, accountId, address, subjects };
    return throwRefusal(store.write(countSignInTry, attempt, clock.now()));
  }

  /** Takes back a try to sign in that was no guess. */
  async forgive({ subjects }: TriedPasswords): Promise<void> {
    await this.#deps.store.write(forgiveSignIn, subjects);
  }

  /** Counts a try of a signed-in member. */
  async beginOf(memberId: string, accountId: string, address: string): Promise<void> {
    const { store, clock } = this.#deps;
    await throwRefusal(store.write(countMemberTry, { memberId, accountId }, address, clock.now()));
  }

  async forgiveOf(memberId: string): Promise<void> {
    await this.#deps.store.write(forgiveMemberTry, memberId);
  }
}
