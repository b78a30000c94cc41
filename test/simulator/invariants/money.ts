// What holds for money: the ledger balances and equals the usage, to the remainder of a micro-dollar; what runs is
// metered and nothing else; credits and budgets stop what they must.

import type { Simulation } from "../model.ts";
import { type Invariant, Lasting, query, violate } from "./invariant.ts";

const HOUR_MS = 3_600_000n;
/** Enforcement may take this long after money has run out. */
const ENFORCED_MS = 75_000;
/** Three minutes of silence lose a machine, which then reports no end of a container. */
const LOST_MS = 400_000;

export interface UsageRow {
  id: number;
  account_id: string;
  kind: string;
  resource_id: string;
  endpoint_id: string;
  running: number;
  rate: number;
  carry: number;
  began_at: number;
  ended_at: number | null;
  metered_to: number;
}

const USAGE = `
  select id, account_id, kind, resource_id, endpoint_id, running, rate, carry, began_at, ended_at, metered_to
  from usage order by id`;

export function moneyInvariants(): Invariant[] {
  const overdrawn = new Lasting(ENFORCED_MS);
  const ending = new Lasting(LOST_MS);
  const books = new Books();
  return [
    async (simulation) => {
      await books.read(simulation);
      const usages = await query<UsageRow>(simulation, USAGE);
      checkCharges(books, usages);
      await checkMetered(simulation, usages, ending);
      await checkCredits(simulation, books, usages, overdrawn);
      await checkBudgets(simulation, usages);
    },
  ];
}

/** The ledger, added up by itself. */
class Books {
  readonly balances = new Map<string, bigint>();
  readonly charged = new Map<string, bigint>();
  #last = 0;

  async read(simulation: Simulation): Promise<void> {
    if (simulation.world.database) this.#forget();
    const entries = await query<{
      id: number;
      tx: number;
      account_id: string;
      book: string;
      micros: number;
      kind: string;
    }>(
      simulation,
      `select ledger_entry.id, transaction_id as tx, account_id, book, micros, kind
       from ledger_entry join ledger_transaction on ledger_transaction.id = transaction_id
       where ledger_entry.id > ${this.#last}`,
    );
    const sums = new Map<number, bigint>();
    for (const { id, tx, account_id, book, micros, kind } of entries) {
      this.#last = Math.max(this.#last, Number(id));
      add(sums, tx, BigInt(micros));
      add(this.balances, `${account_id} ${book}`, BigInt(micros));
      if (kind === "usage" && book === "revenue") add(this.charged, account_id, BigInt(micros));
    }
    for (const [tx, sum] of sums)
      if (sum !== 0n) violate("a ledger transaction sums to zero", `${tx}: ${sum}`);
    await this.#checkBalances(simulation);
  }

  /** Replicas do not commit in the order of ids. */
  #forget(): void {
    this.balances.clear();
    this.charged.clear();
    this.#last = 0;
  }

  async #checkBalances(simulation: Simulation): Promise<void> {
    const stored = await query<{ account_id: string; book: string; micros: number }>(
      simulation,
      "select account_id, book, micros from ledger_balance",
    );
    for (const { account_id, book, micros } of stored) {
      const sum = this.balances.get(`${account_id} ${book}`) ?? 0n;
      if (sum !== BigInt(micros))
        violate("a balance is the sum of its entries", {
          account_id,
          book,
          micros,
          sum: String(sum),
        });
    }
  }
}

function add<Key>(sums: Map<Key, bigint>, key: Key, value: bigint): void {
  sums.set(key, (sums.get(key) ?? 0n) + value);
}

/** In 1/3,600,000 micro-dollars. */
const exactOf = ({ rate, began_at }: UsageRow, to: number) => BigInt(rate) * BigInt(to - began_at);

/** Every account was charged what its usages owe: all remainders of a resource together, rounded down once. */
function checkCharges(books: Books, usages: UsageRow[]): void {
  const resources = new Map<string, { account: string; exact: bigint }>();
  for (const usage of usages) {
    const { resource_id: id, account_id: account } = usage;
    if (usage.ended_at !== null && usage.metered_to !== usage.ended_at)
      violate("a usage is charged to its end", usage);
    const known = resources.get(id) ?? { account, exact: 0n };
    known.exact += exactOf(usage, usage.metered_to);
    resources.set(id, known);
  }
  const owed = new Map<string, bigint>();
  for (const { account, exact } of resources.values()) add(owed, account, exact / HOUR_MS);
  for (const account of new Set([...owed.keys(), ...books.charged.keys()])) {
    const [usage, ledger] = [owed.get(account) ?? 0n, books.charged.get(account) ?? 0n];
    if (usage !== ledger)
      violate("the ledger equals the usage", {
        account,
        usage: String(usage),
        ledger: String(ledger),
      });
  }
}

interface Due {
  id: string;
  rate: number;
}

const DUE = `
  select id, running_rate as rate from pod where state = 'RUNNING' and observed = 'running' and covered_gpus = 0
  union all
  select id, stopped_rate as rate from pod
  where state <> 'TERMINATED' and not (state = 'RUNNING' and observed = 'running') and started_at is not null
    and stopped_rate > 0
  union all
  select id, rate from worker where observed = 'running' and rate > 0`;

/** Metered as its last container until the next one starts. */
const RESTARTING = "select id from pod where state = 'RUNNING' and observed = 'starting'";

/** Metered as a container that runs until its end is seen, or nothing can report it. */
const ENDING = "select id from pod where state <> 'RUNNING' and observed = 'running'";

/** Those whose usage may be that of their container or of their disk. */
async function endingIn(simulation: Simulation, ending: Lasting): Promise<Set<string>> {
  const { world } = simulation;
  const ids = (await query<{ id: string }>(simulation, ENDING)).map(({ id }) => id);
  const overdue = new Set(ending.tooLong(ids, world));
  // Beside a replica that stands still, a leader counts no silence.
  const isStill = world.replicas.some(({ isFrozen }) => isFrozen);
  return new Set(ids.filter((id) => isStill || !overdue.has(id)));
}

/** What runs, and every disk that outlives a stop, has a usage at its price; nothing else has one. */
async function checkMetered(
  simulation: Simulation,
  usages: UsageRow[],
  ending: Lasting,
): Promise<void> {
  const endingIds = await endingIn(simulation, ending);
  const due = await query<Due>(simulation, DUE);
  const open = new Map(
    usages.filter(({ ended_at }) => ended_at === null).map((usage) => [usage.resource_id, usage]),
  );
  for (const id of endingIds) open.delete(id);
  for (const { id, rate } of due) {
    if (endingIds.has(id)) continue;
    const usage = open.get(id);
    if (usage?.rate !== rate) violate("what runs is metered", { id, rate, usage: usage ?? null });
    open.delete(id);
  }
  const volumes = await query<{ id: string; deleted_at: number | null }>(
    simulation,
    "select id, deleted_at from network_volume",
  );
  for (const { id, deleted_at } of volumes) {
    if (deleted_at === null && !open.has(id)) violate("a volume is metered", id);
    if (deleted_at === null) open.delete(id);
  }
  const restarting = await query<{ id: string }>(simulation, RESTARTING);
  for (const { id } of restarting) open.delete(id);
  const [usage] = open.values();
  if (usage && usage.rate > 0) violate("nothing else is metered", usage);
}

interface Spender {
  id: string;
  account_id: string;
  endpoint_id: string;
}

const SPENDERS = `
  select id, account_id, '' as endpoint_id from pod where state = 'RUNNING'
  union all
  select worker.id, account_id, endpoint_id from worker join endpoint on endpoint.id = endpoint_id
  where observed <> 'ended'`;

async function checkCredits(
  simulation: Simulation,
  { balances }: Books,
  usages: UsageRow[],
  overdrawn: Lasting,
): Promise<void> {
  const prepaid = await query<{ id: string }>(
    simulation,
    "select id from account where prepaid = 1",
  );
  const spenders = await query<Spender>(simulation, SPENDERS);
  const { now } = simulation.world;
  const found = prepaid.flatMap(({ id }) => {
    const open = usages.filter((usage) => usage.account_id === id && usage.ended_at === null);
    const unposted = open.reduce(
      (sum, usage) => sum + exactOf(usage, now) - exactOf(usage, usage.metered_to),
      0n,
    );
    const left = (balances.get(`${id} balance`) ?? 0n) - unposted / HOUR_MS;
    return left <= 0n ? spenders.filter(({ account_id }) => account_id === id) : [];
  });
  const [first] = overdrawn.tooLong(
    found.map(({ id }) => id),
    simulation.world,
  );
  if (first) violate("nothing runs without credits", first);
}

interface BudgetRow {
  id: string;
  account_id: string;
  scope: string;
  subject_id: string;
  period: "hour" | "day" | "month";
  micros: number;
}

/** What a budget did not allow some time ago does not run now. */
async function checkBudgets(simulation: Simulation, usages: UsageRow[]): Promise<void> {
  const budgets = await query<BudgetRow>(
    simulation,
    "select id, account_id, scope, subject_id, period, micros from budget",
  );
  const { world, model } = simulation;
  const since = world.now - ENFORCED_MS;
  for (const budget of budgets) {
    const changedAt = model.budgets.find(({ id }) => id === budget.id)?.changedAt ?? world.now;
    if (since <= Math.max(changedAt, world.upSince, world.orderlySince)) continue;
    const from = startOf(budget.period, since);
    if (startOf(budget.period, world.now) !== from) continue;
    const counted = usages.filter((usage) => countsAgainst(budget, usage));
    const spent = counted.reduce((sum, usage) => sum + within(usage, from, since), 0n) / HOUR_MS;
    if (spent <= BigInt(budget.micros)) continue;
    const running = counted.find(
      ({ kind, running, ended_at }) => kind !== "volume" && running === 1 && ended_at === null,
    );
    if (running) violate("a budget holds", { budget, running });
  }
}

const countsAgainst = (
  { account_id, scope, subject_id }: BudgetRow,
  what: { account_id: string; endpoint_id: string },
) => what.account_id === account_id && (scope === "account" || what.endpoint_id === subject_id);

function within(usage: UsageRow, from: number, to: number): bigint {
  const began = Math.max(from, usage.began_at);
  const ended = Math.min(to, usage.ended_at ?? to);
  return ended > began ? BigInt(usage.rate) * BigInt(ended - began) : 0n;
}

function startOf(period: BudgetRow["period"], now: number): number {
  const date = new Date(now);
  if (period === "month") return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
  const unit = period === "hour" ? 3_600_000 : 86_400_000;
  return Math.floor(now / unit) * unit;
}
