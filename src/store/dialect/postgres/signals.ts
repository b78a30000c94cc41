// Wake-ups between replicas, by PostgreSQL's notifications: ids only, after the commit, and on a
// connection of their own, for a notification inside the transaction would make all replicas commit
// one after the other. They are hints like all wake-ups, and what is lost is made up for by looking.

import type { Clock } from "../../../base/clock.ts";
import { topic, type Wakes } from "../../wakes.ts";
import { Link } from "./link.ts";
import type { Session } from "./session.ts";

const CHANNEL = "freehold";
/** PostgreSQL takes payloads below 8,000 bytes. */
const PAYLOAD_BYTES = 7_900;
/** Sent where it is not known any more what the others should have been told. */
const EVERYTHING = "*";
/** Sent at every look, so that whoever is alone knows it and tells nobody. */
const HERE = "+";
/** After so many looks without a word from others there are none. */
const QUIET_LOOKS = 3;
const LOOK_EVERY_MS = 1_000;
/** Every so many looks, everybody here is woken who waits for something else than jobs. */
const EVERYBODY_EVERY = 5;
const QUEUE = topic.queue("");

/** How many jobs wait in each of some queues; beyond so many it makes no difference. */
const WAITING = `
  select queue, n from jsonb_array_elements_text(cast(? as jsonb)) as queue, lateral (
    select count(*) as n from (
      select 1 from job where endpoint_id = queue and state = 'IN_QUEUE'
      order by priority desc, seq limit 256) as few) as waiting
  where n > 0`;

export class Signals {
  readonly #link: Link;
  readonly #wakes: Wakes;
  readonly #clock: Clock;
  #session: Session | null = null;
  #topics = new Map<string, number | null>();
  #telling: Promise<void> | null = null;
  /** True while others may have missed a wake-up of ours. */
  #owing = false;
  #looks = 0;
  #quietLooks = 0;
  #cancel = () => {};
  #closed = false;

  constructor(url: string, wakes: Wakes, clock: Clock) {
    this.#link = new Link(url, clock, "wake-ups", `listen ${CHANNEL};`);
    this.#wakes = wakes;
    this.#clock = clock;
  }

  async open(): Promise<void> {
    const session = await this.#connect();
    await session.run([notification(HERE)]);
    this.#wakes.elsewhere = (name, count) => {
      if (this.#alone) return;
      this.#topics.set(name, added(this.#topics.get(name), count));
      void this.#tell();
    };
    this.#later();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#wakes.elsewhere = null;
    this.#cancel();
    await this.#telling;
    await this.#link.close();
  }

  #tell(): Promise<void> {
    this.#telling ??= this.#notify().finally(() => {
      this.#telling = null;
    });
    return this.#telling;
  }

  async #notify(): Promise<void> {
    await null; // all the wake-ups of one turn go together
    while (this.#topics.size > 0 || this.#owing) {
      const payloads = this.#owing ? [EVERYTHING] : payloadsOf(this.#topics);
      this.#topics = new Map();
      try {
        const session = await this.#connect();
        await session.run(payloads.map((each) => notification(each)));
        this.#owing = false;
      } catch {
        this.#owing = true; // the next look makes up for it
        return;
      }
    }
  }

  async #connect(): Promise<Session> {
    const session = await this.#link.session();
    if (session === this.#session) return session;
    const again = this.#session !== null;
    this.#session = session;
    session.onNotification((payload, pid) => {
      if (pid !== session.pid) this.#heard(payload);
    });
    session.onLost(() => this.#later(0));
    this.#quietLooks = 0;
    // Nobody knows what was said while nobody listened.
    if (again) this.#wakes.missed();
    return session;
  }

  get #alone(): boolean {
    return this.#quietLooks >= QUIET_LOOKS;
  }

  #heard(payload: string): void {
    if (this.#alone) {
      // Whoever is new here may have missed what nobody was told.
      this.#owing = true;
      void this.#tell();
    }
    this.#quietLooks = 0;
    if (payload === HERE) return;
    if (payload === EVERYTHING) {
      this.#wakes.missed();
      return;
    }
    for (const [name, count] of JSON.parse(payload) as [string, number | null][]) {
      if (count === null) this.#wakes.ring(name);
      else this.#wakes.ringSomeHere(name, count);
    }
  }

  /** Looks after a while, and again and again from then on. */
  #later(inMs = LOOK_EVERY_MS): void {
    this.#cancel();
    if (this.#closed) return;
    this.#cancel = this.#clock.after(inMs, () => {
      const looked = this.#look().catch(() => {}); // the database is away, and the next look comes
      void looked.then(() => this.#later());
    });
  }

  /** For what a replica that died, or a connection that was cut, could not tell. */
  async #look(): Promise<void> {
    const session = await this.#connect();
    if (this.#owing) await this.#tell();
    const queues = this.#wakes.topics().filter((each) => each.startsWith(QUEUE));
    const ids = JSON.stringify(queues.map((each) => each.slice(QUEUE.length)));
    const asked = [notification(HERE), { sql: WAITING, params: [ids], rows: true }];
    const [, waiting] = await session.run(asked);
    this.#quietLooks++;
    for (const { queue, n } of waiting as { queue: string; n: number }[]) {
      this.#wakes.ringSomeHere(topic.queue(queue), n);
    }
    this.#looks++;
    if (this.#looks % EVERYBODY_EVERY !== 0) return;
    for (const each of this.#wakes.topics()) if (!each.startsWith(QUEUE)) this.#wakes.ring(each);
  }
}

/** Wakes that are owed to a topic; null is everybody. */
function added(before: number | null | undefined, count: number | null): number | null {
  return before === null || count === null ? null : (before ?? 0) + count;
}

function notification(payload: string) {
  return { sql: "select pg_notify(?, ?)", params: [CHANNEL, payload], rows: true };
}

/** JSON lists of topics with their counts, each short enough for a notification. */
function payloadsOf(topics: Map<string, number | null>): string[] {
  const payloads: string[] = [];
  let items: string[] = [];
  let bytes = 2;
  for (const each of topics) {
    const item = JSON.stringify(each);
    const more = Buffer.byteLength(item) + 1;
    if (bytes + more > PAYLOAD_BYTES) {
      payloads.push(`[${items.join()}]`);
      items = [];
      bytes = 2;
    }
    items.push(item);
    bytes += more;
  }
  payloads.push(`[${items.join()}]`);
  return payloads;
}
