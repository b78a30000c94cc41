// A verb of the store is a generator: it yields the statements it wants run and is sent their
// rows. So the vocabulary is written once, and each dialect drives it in its own way: SQLite
// synchronously inside one turn of the event loop, PostgreSQL over a connection.

export type Value = string | number | bigint | null | Uint8Array;

/** A statement with `?` placeholders. Its text must be constant, for it is prepared once. */
export interface Query {
  sql: string;
  params: Value[];
  /** False where only the number of changed rows is wanted. */
  rows: boolean;
}

/** Asks that listeners of a topic be woken once the surrounding turn is committed. */
export interface Ring {
  ring: string;
  /** True where one listener per ring is enough: a job that one worker can take. */
  one?: boolean;
  /** What whoever is woken would read: the same, as it is committed. */
  news?: unknown;
}

/** Adds to an endpoint's counters; a turn adds them up and writes each endpoint once. */
export interface Tally {
  tally: string;
  at: number;
  add: Partial<Record<Counter, number>>;
}
export type Counter =
  | "in_queue"
  | "in_progress"
  | "completed"
  | "failed"
  | "retried"
  | "ever_completed"
  | "ever_failed";

/** Notes how long a job of an endpoint waited or ran; a turn adds those up that lasted alike. */
export interface Lasted {
  lasted: string;
  at: number;
  what: Span;
  ms: number;
}
export type Span = "delay" | "execution";

/** Notes that a job left a worker; a turn writes each worker once. */
export interface Freed {
  freed: string;
  at: number;
  served: number;
}

/** Notes what a worker's own calls showed; a turn writes each worker once. */
export interface Signed {
  signed: string;
  at: number;
  sign: Sign;
}

/** Fields that are undefined stay as they are. */
export interface Sign {
  ready?: boolean;
  pingVersion?: string | null;
  polledIdle?: boolean;
  stopPolled?: boolean;
}

/** A turn in which every call says so is committed, but not synced for their sake. */
export interface NoSync {
  noSync: true;
}

/** Runs several verbs side by side; their results come back in the order of the verbs. */
export interface Together {
  together: Verb<unknown>[];
}

export type Step = Query | Note | Together;
/** What a verb says beside its queries; nothing comes back. */
export type Note = Ring | Tally | Lasted | Freed | Signed | NoSync;
export type Verb<Result> = Generator<Step, Result, unknown>;

/** Runs a query and returns all its rows. */
export function* rows<Row>(sql: string, ...params: Value[]): Verb<Row[]> {
  return (yield { sql, params, rows: true }) as Row[];
}

/** Runs a query and returns its first row, if there is one. */
export function* row<Row>(sql: string, ...params: Value[]): Verb<Row | undefined> {
  const found = (yield { sql, params, rows: true }) as Row[];
  return found[0];
}

/** Runs a statement and returns the number of rows it changed. */
export function* change(sql: string, ...params: Value[]): Verb<number> {
  return (yield { sql, params, rows: false }) as number;
}

/** With `news` whoever waits here need not ask the store for it. */
export function* ring(topic: string, news?: unknown): Verb<void> {
  yield { ring: topic, news };
}

/** Wakes one of those who wait, the longest waiting first. */
export function* ringOne(topic: string): Verb<void> {
  yield { ring: topic, one: true };
}

export function* tally(endpointId: string, at: number, add: Tally["add"]): Verb<void> {
  yield { tally: endpointId, at, add };
}

/** A job's wait, or its run, was over at `at`. */
export function* lasted(endpointId: string, at: number, what: Span, ms: number): Verb<void> {
  yield { lasted: endpointId, at, what, ms };
}

/** A job left this worker at `at`; `served` is 1 where the worker itself finished it. */
export function* freed(workerId: string, at: number, served: 0 | 1): Verb<void> {
  yield { freed: workerId, at, served };
}

/** A worker called at `at`. Written with the commit, so that replicas do not wait for each other. */
export function* signed(workerId: string, at: number, sign: Sign): Verb<void> {
  yield { signed: workerId, at, sign };
}

/** Only for what a power cut may undo without anybody losing what they were promised. */
export function* needsNoSync(): Verb<void> {
  yield { noSync: true };
}

/**
 * Runs verbs that are safe side by side: where each query is a round trip, the next ones of all of
 * them travel together. Elsewhere they run one after another.
 */
export function* together<Result>(verbs: Verb<Result>[]): Verb<Result[]> {
  if (verbs.length === 0) return [];
  return (yield { together: verbs }) as Result[];
}

const safe = new WeakSet<object>();

/**
 * Declares a verb safe side by side with others of its kind in one transaction, their queries taking
 * turns. The first query of such a verb decides, by changing a row only as it should be, and what
 * follows touches nothing that another of them decides on.
 */
export function sideBySide<Args extends unknown[], Result>(
  verb: (...args: Args) => Verb<Result>,
): (...args: Args) => Verb<Result> {
  safe.add(verb);
  return verb;
}

export function isSideBySide(verb: object): boolean {
  return safe.has(verb);
}
