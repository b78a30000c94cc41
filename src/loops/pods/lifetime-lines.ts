// Shows the warnings that a Pod stops at its maximum lifetime in its open terminals, which are on this replica; the warning
// was decided on any.

import { podLifetime } from "../../domain/notification/pod-stopping.ts";
import type { Pod } from "../../domain/pod/pod.ts";
import { lifetimeOf } from "../../domain/usage/lifetime.ts";
import type { Traffic } from "../../flows/replica/traffic.ts";

export class LifetimeLines {
  readonly #traffic: Traffic;
  /** When the warning was given that was shown last, by Pod. */
  readonly #shownAt = new Map<string, number>();

  constructor({ traffic }: { traffic: Traffic }) {
    this.#traffic = traffic;
  }

  /** Forgets Pods that are gone. */
  keep(ids: ReadonlySet<string>): void {
    for (const id of this.#shownAt.keys()) if (!ids.has(id)) this.#shownAt.delete(id);
  }

  observe(pod: Pod, now: number): void {
    const { id, lifetimeWarning: warning } = pod;
    const policy = lifetimeOf(pod)?.policy;
    if (!warning || !policy || warning.stopsAt <= now) return;
    if (this.#shownAt.get(id) === warning.at) return;
    this.#shownAt.set(id, warning.at);
    const { stopsAt } = warning;
    this.#traffic.say(id, podLifetime(pod, policy, { at: now, stopsAt }).summary);
  }
}
