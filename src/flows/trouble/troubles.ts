// The troubles as this process knows them: which are on, on any replica, and how often each has struck here.

import type { Clock } from "../../base/clock.ts";
import type { Logger } from "../../base/log.ts";
import { type TroubleName, troubleNames } from "../../domain/trouble/catalog.ts";
import { type ActiveTrouble, isActive, isStruck } from "../../domain/trouble/strike.ts";
import type { Store } from "../../store/engine/store.ts";
import { type ActiveTroubles, activeTroubles } from "../../transactions/trouble/switch-trouble.ts";

interface TroublesDeps {
  store: Store;
  clock: Clock;
  log: Logger;
  /** At least 0 and below 1. */
  random(): number;
}

export interface TroubleState {
  name: TroubleName;
  /** Null while it is off. */
  active: ActiveTrouble | null;
  /** How often it has struck since the service started. */
  hits: number;
}

export class Troubles {
  readonly #deps: TroublesDeps;
  #active: ActiveTroubles = new Map();
  #refreshed: Promise<void> = Promise.resolve();
  readonly #hits = new Map<TroubleName, number>();
  #isForbidden = false;

  constructor(deps: TroublesDeps) {
    this.#deps = deps;
  }

  get isForbidden(): boolean {
    return this.#isForbidden;
  }

  /** Ends them for good: others have turned out to reach this service. */
  forbid(): void {
    this.#isForbidden = true;
    this.#active = new Map();
  }

  /** Reads which are on. One read after another, so that an older one does not undo a newer one. */
  refresh(): Promise<void> {
    const next = async () => {
      const active = await this.#deps.store.read(activeTroubles);
      if (!this.#isForbidden) this.#active = active;
    };
    this.#refreshed = this.#refreshed.then(next, next);
    return this.#refreshed;
  }

  stateOf(name: TroubleName): TroubleState {
    return { name, active: this.#activeOf(name), hits: this.#hits.get(name) ?? 0 };
  }

  list(): TroubleState[] {
    return troubleNames.map((name) => this.stateOf(name));
  }

  /** Whether any may be on; cheap, for every request. */
  get isAnyOn(): boolean {
    return this.#active.size > 0;
  }

  isOn(name: TroubleName): boolean {
    return this.isAnyOn && this.#activeOf(name) !== null;
  }

  /** Whether it is on for this subject. Nothing is drawn or counted. */
  concerns(name: TroubleName, subject: string): boolean {
    const match = this.#activeOf(name)?.match;
    return match !== undefined && (match === null || subject.includes(match));
  }

  /** Whether it strikes this subject; a strike is counted. */
  strikes(name: TroubleName, subject: string): boolean {
    const active = this.#activeOf(name);
    if (active === null) return false;
    const { clock, random } = this.#deps;
    const strikes = isStruck(active, { now: clock.now(), random: random(), subject });
    if (strikes) this.record(name, subject);
    return strikes;
  }

  record(name: TroubleName, subject: string): void {
    this.#hits.set(name, (this.#hits.get(name) ?? 0) + 1);
    this.#deps.log.warn({ fault: name, subject }, "a fault that a test switched on has struck");
  }

  #activeOf(name: TroubleName): ActiveTrouble | null {
    const active = this.#active.get(name);
    return active && isActive(active, this.#deps.clock.now()) ? active : null;
  }
}
