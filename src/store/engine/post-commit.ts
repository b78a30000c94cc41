// The effects of a batch beside its statements: accumulators, which are written with the commit, and
// notifications and spans, which follow it.

import type { Tracer } from "../../domain/trace/span.ts";
import type {
  Accumulation,
  Accumulator,
  AccumulatorDefinition,
  AccumulatorLookup,
} from "./accumulator.ts";
import type { JobDuration } from "./commit-counts.ts";
import type { Notifier } from "./notifier.ts";
import type { EndedSpans, TopicNotification, Tx } from "./statement.ts";

export class PostCommit {
  #accumulators = new Map<AccumulatorDefinition<unknown>, Accumulator<unknown>>();
  /** Topics whose listeners are all notified, with the payload of the last notification. */
  #topics = new Map<string, unknown>();
  /** Topics of which one listener per notification is enough, with the number of notifications. */
  #counted = new Map<string, number>();

  #spans: EndedSpans[] = [];

  add(effect: TopicNotification | Accumulation | AccumulatorLookup | EndedSpans): void {
    if ("spans" in effect) this.#spans.push(effect);
    else if ("lookUp" in effect) this.#show(effect);
    else if ("accumulate" in effect) this.#accumulator(effect.accumulate).add(effect.entry);
    else if (!effect.one) this.#topics.set(effect.notify, effect.payload);
    else this.#counted.set(effect.notify, (this.#counted.get(effect.notify) ?? 0) + 1);
  }

  /** What the accumulators do once the calls of the batch have run. */
  settlements(): Tx<void>[] {
    return [...this.#accumulators.values()].flatMap((each) => each.settle?.() ?? []);
  }

  /** The statements that write the accumulators, to be run last in the batch's transaction. */
  writes(slot: number): Tx<unknown>[] {
    return [...this.#accumulators]
      .sort(([a], [b]) => (a.name < b.name ? -1 : 1))
      .flatMap(([, accumulator]) => accumulator.writes(slot));
  }

  /**
   * Before the commit: notifies the local listeners of which one per notification is enough. Returns true if
   * any was notified.
   */
  notifyEarly(notifier: Notifier): boolean {
    let notified = 0;
    for (const [topic, count] of this.#counted) {
      const here = notifier.notifySomeHere(topic, count);
      if (here === count) this.#counted.delete(topic);
      else this.#counted.set(topic, count - here);
      notified += here;
    }
    return notified > 0;
  }

  /** After the commit: notifies everyone else. */
  notify(notifier: Notifier): void {
    for (const [topic, payload] of this.#topics) notifier.notifyEverywhere(topic, payload);
    for (const accumulator of this.#accumulators.values())
      for (const topic of accumulator.topics()) notifier.notifyEverywhere(topic);
    for (const [topic, count] of this.#counted) notifier.notifySome(topic, count);
    if (notifier.tracer) this.#record(notifier.tracer);
  }

  #record(tracer: Tracer): void {
    for (const { spans } of this.#spans) for (const span of spans(tracer)) tracer.record(span);
  }

  /** The durations of jobs that the batch committed, for metrics. */
  durations(): JobDuration[] {
    return [...this.#accumulators.values()].flatMap(({ durations }) => durations ?? []);
  }

  #show({ lookUp, receive }: AccumulatorLookup): void {
    const accumulator = this.#accumulators.get(lookUp);
    if (accumulator) receive(accumulator);
  }

  #accumulator(definition: AccumulatorDefinition<unknown>): Accumulator<unknown> {
    let found = this.#accumulators.get(definition);
    if (!found) {
      found = definition.create();
      this.#accumulators.set(definition, found);
    }
    return found;
  }
}
