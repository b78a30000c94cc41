// Notifications between replicas, by PostgreSQL's notify. They carry ids only and are sent after the commit, on
// a connection of their own: inside the transaction they would serialize the commits of all replicas. They are
// hints and may be lost; a check every second makes up for lost ones.

import type { Clock } from "../../../base/clock.ts";
import { reportHandlerError } from "../../../base/guarded.ts";
import { type Notifier, topic } from "../notifier.ts";
import { payloadsOf, readPayload } from "./payload.ts";
import { type ConnectionOptions, PersistentConnection } from "./wire/persistent-connection.ts";
import type { PostgresSession } from "./wire/session.ts";

const CHANNEL = "freehold";
/** The payload for "any topic": sent when notifications were lost on their way out. */
const ALL_TOPICS = "*";
/** The payload of every check. A replica that receives none is alone and sends no notifications. */
const PRESENCE = "+";
/** After this many checks without a payload of another replica, this one counts as alone. */
const CHECKS_UNTIL_ALONE = 3;
const CHECK_EVERY_MS = 1_000;
/** Every so many checks, all local listeners are notified, except those that wait for jobs. */
const NOTIFY_ALL_EVERY_CHECKS = 5;
const QUEUE = topic.queue("");

const SOURCE = "a notification of PostgreSQL";
/** Any program may notify the channel. */
const UNKNOWN_PAYLOAD = `a program other than Freehold of this version sends to the channel "${CHANNEL}"`;

/** The number of waiting jobs in each of some queues, counted up to a batch's size. */
const COUNT_WAITING = `
  select queue, n from jsonb_array_elements_text(cast(? as jsonb)) as queue, lateral (
    select count(*) as n from (
      select 1 from job where endpoint_id = queue and state = 'IN_QUEUE'
      order by priority desc, seq limit 256) as few) as waiting
  where n > 0`;

export class ReplicaNotifications {
  readonly #connection: PersistentConnection;
  readonly #notifier: Notifier;
  readonly #clock: Clock;
  #session: PostgresSession | null = null;
  #outgoing = new Map<string, number | null>();
  #sending: Promise<void> | null = null;
  /** True while other replicas may have missed a notification of this one. */
  #mustResend = false;
  /** True if all listeners were notified since the last check, and if they must be once more. */
  #hasMissed = false;
  #missesAgain = false;
  #checks = 0;
  #quietChecks = 0;
  #cancelCheck = () => {};
  #closed = false;

  constructor(options: Omit<ConnectionOptions, "role" | "settings">, notifier: Notifier) {
    const settings = `listen ${CHANNEL};`;
    this.#connection = new PersistentConnection({ ...options, role: "notifications", settings });
    this.#notifier = notifier;
    this.#clock = options.clock;
  }

  async open(): Promise<void> {
    const session = await this.#connect();
    await session.run([notification(PRESENCE)]);
    this.#notifier.elsewhere = (name, count) => {
      if (this.#isAlone) return;
      this.#outgoing.set(name, addCount(this.#outgoing.get(name), count));
      void this.#send();
    };
    this.#scheduleCheck();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#notifier.elsewhere = null;
    this.#cancelCheck();
    await this.#sending;
    await this.#connection.close();
  }

  #send(): Promise<void> {
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = null;
    });
    return this.#sending;
  }

  async #sendAll(): Promise<void> {
    await null; // the notifications of one batch travel together
    while (this.#outgoing.size > 0 || this.#mustResend) {
      const payloads = this.#mustResend ? [ALL_TOPICS] : payloadsOf(this.#outgoing);
      this.#outgoing = new Map();
      try {
        const session = await this.#connect();
        await session.run(payloads.map((each) => notification(each)));
        this.#mustResend = false;
      } catch {
        this.#mustResend = true; // with the next check
        return;
      }
    }
  }

  async #connect(): Promise<PostgresSession> {
    const session = await this.#connection.session();
    if (session === this.#session) return session;
    const isReconnect = this.#session !== null;
    this.#session = session;
    session.onNotification((payload, pid) => {
      if (pid !== session.pid) this.#receive(payload);
    });
    session.onLost(() => this.#scheduleCheck(0));
    this.#quietChecks = 0;
    // Notifications between the two sessions were lost.
    if (isReconnect) this.#notifier.missed();
    return session;
  }

  get #isAlone(): boolean {
    return this.#quietChecks >= CHECKS_UNTIL_ALONE;
  }

  #receive(payload: string): void {
    if (this.#isAlone) {
      // The new replica may have missed what was not sent while this one was alone.
      this.#mustResend = true;
      void this.#send();
    }
    this.#quietChecks = 0;
    if (payload === PRESENCE) return;
    const topics = payload === ALL_TOPICS ? null : readPayload(payload);
    if (topics === null) this.#miss(payload);
    for (const [name, count] of topics ?? []) {
      if (count === null) this.#notifier.notify(name);
      else this.#notifier.notifySomeHere(name, count);
    }
  }

  /** Everything may have changed. A flood of such payloads notifies all listeners once per check. */
  #miss(payload: string): void {
    if (payload !== ALL_TOPICS) reportHandlerError(SOURCE, new Error(UNKNOWN_PAYLOAD));
    if (this.#hasMissed) this.#missesAgain = true;
    else this.#notifier.missed();
    this.#hasMissed = true;
  }

  /** Schedules the next check, and from then on one after another. */
  #scheduleCheck(inMs = CHECK_EVERY_MS): void {
    this.#cancelCheck();
    if (this.#closed) return;
    this.#cancelCheck = this.#clock.after(inMs, () => {
      const checked = this.#check().catch(() => {}); // unavailable: the next check tries again
      void checked.then(() => this.#scheduleCheck());
    });
  }

  /** Makes up for notifications that a dead replica or a lost connection did not send. */
  async #check(): Promise<void> {
    const session = await this.#connect();
    if (this.#mustResend) await this.#send();
    const queues = this.#notifier.topics().filter((each) => each.startsWith(QUEUE));
    const ids = JSON.stringify(queues.map((each) => each.slice(QUEUE.length)));
    const countWaiting = { sql: COUNT_WAITING, params: [ids], rows: true };
    const [, waiting] = await session.run([notification(PRESENCE), countWaiting]);
    this.#quietChecks++;
    for (const { queue, n } of waiting as { queue: string; n: number }[]) {
      this.#notifier.notifySomeHere(topic.queue(queue), n);
    }
    this.#hasMissed = false;
    if (this.#missesAgain) this.#notifier.missed();
    this.#missesAgain = false;
    this.#checks++;
    if (this.#checks % NOTIFY_ALL_EVERY_CHECKS !== 0) return;
    for (const each of this.#notifier.topics())
      if (!each.startsWith(QUEUE)) this.#notifier.notify(each);
  }
}

/** The sum of two counts of listeners to notify; null stands for all of them. */
function addCount(sum: number | null | undefined, count: number | null): number | null {
  return sum === null || count === null ? null : (sum ?? 0) + count;
}

function notification(payload: string) {
  return { sql: "select pg_notify(?, ?)", params: [CHANNEL, payload], rows: true };
}
