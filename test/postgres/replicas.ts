// Two stores on one database, as two replicas have them, and what flows need beside.

import type { TestContext } from "node:test";
import { builtInCatalog } from "../../src/app/catalog/read.ts";
import { systemClock } from "../../src/base/clock.ts";
import { randomIds } from "../../src/base/ids.ts";
import type { Account } from "../../src/domain/account.ts";
import type { Catalog } from "../../src/domain/catalog/catalog.ts";
import { ensureFirstAccount } from "../../src/flows/account/first-account.ts";
import { createTemplate } from "../../src/flows/template/create.ts";
import { openPostgres } from "../../src/store/dialect/postgres/open.ts";
import type { Store } from "../../src/store/store.ts";
import { freshDatabase } from "./database.ts";

export interface Replica {
  store: Store;
  clock: typeof systemClock;
  ids: typeof randomIds;
  driverFor: () => "process";
  catalog: Catalog;
}

export async function twoReplicas(t: TestContext): Promise<[Replica, Replica]> {
  const url = await freshDatabase(t);
  return [await replicaOn(t, url), await replicaOn(t, url)];
}

export async function replicaOn(t: TestContext, url: string): Promise<Replica> {
  const store = await openPostgres(url, { readConnections: 2 });
  t.after(() => store.close());
  return {
    store,
    clock: systemClock,
    ids: randomIds,
    driverFor: () => "process",
    catalog: builtInCatalog(),
  };
}

export async function accountOn(replica: Replica): Promise<Account> {
  return (await ensureFirstAccount(replica)).account;
}

export async function templateOn(replica: Replica, accountId: string, name = "x") {
  const settings = { imageName: "x", dockerStartCmd: ["true"] };
  return createTemplate(replica, { accountId, name, settings, once: null });
}

/** Asks all at the same time and sorts what came: results, and the codes of faults. */
export async function race<Result>(
  asked: Promise<Result>[],
): Promise<{ done: Result[]; refused: string[] }> {
  const settled = await Promise.allSettled(asked);
  return {
    done: settled.flatMap((each) => (each.status === "fulfilled" ? [each.value] : [])),
    refused: settled.flatMap((each) =>
      each.status === "rejected" ? [String(each.reason.code ?? each.reason)] : [],
    ),
  };
}
