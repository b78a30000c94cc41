// Replicas for tests: stores on one database, with the other dependencies of flows.

import type { TestContext } from "node:test";
import { systemClock } from "../../src/base/clock.ts";
import { randomIds } from "../../src/base/ids.ts";
import { builtInCatalog } from "../../src/config/catalog/read.ts";
import type { Account } from "../../src/domain/account.ts";
import type { Catalog } from "../../src/domain/catalog/catalog.ts";
import { documented, type Protocol } from "../../src/domain/protocol.ts";
import { OfficialTemplates } from "../../src/domain/template/official.ts";
import { ensureFirstAccount } from "../../src/flows/account/first-account.ts";
import { StorageQuota } from "../../src/flows/storage-quota.ts";
import { createTemplate } from "../../src/flows/template/create.ts";
import { openPostgres } from "../../src/store/engine/postgres/open.ts";
import type { Store } from "../../src/store/engine/store.ts";
import { freshDatabase } from "./database.ts";

export interface Replica {
  store: Store;
  clock: typeof systemClock;
  ids: typeof randomIds;
  driverFor: () => "process";
  portLimits: { perPod: number; perAccount: number };
  storageQuota: StorageQuota;
  officialTemplates: OfficialTemplates;
  catalog: Catalog;
  protocol: Protocol;
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
    portLimits: { perPod: 16, perAccount: 1_000 },
    storageQuota: new StorageQuota({ store, clock: systemClock }, null),
    officialTemplates: new OfficialTemplates([]),
    catalog: builtInCatalog(),
    protocol: documented,
  };
}

export async function accountOn(replica: Replica): Promise<Account> {
  return (await ensureFirstAccount(replica)).account;
}

export async function templateOn(replica: Replica, accountId: string, name = "x") {
  const settings = { imageName: "x", dockerStartCmd: ["true"] };
  return createTemplate(replica, { accountId, name, settings, once: null });
}

/** Waits for concurrent calls; returns their results, and the codes of faults. */
export async function race<Result>(
  calls: Promise<Result>[],
): Promise<{ done: Result[]; refused: string[] }> {
  const settled = await Promise.allSettled(calls);
  return {
    done: settled.flatMap((each) => (each.status === "fulfilled" ? [each.value] : [])),
    refused: settled.flatMap((each) =>
      each.status === "rejected" ? [String(each.reason.code ?? each.reason)] : [],
    ),
  };
}
