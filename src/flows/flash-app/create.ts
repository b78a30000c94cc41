// Creating a Flash app, or an environment of one.

import type { Fault } from "../../domain/fault.ts";
import { type FlashApp, type FlashEnvironment, nameFault } from "../../domain/flash/app.ts";
import type { IdempotencyKey } from "../../domain/idempotency-key.ts";
import { createApp, createEnvironment } from "../../transactions/flash-app/create.ts";
import { createOnceIn } from "../create-once.ts";
import type { FlowDeps } from "../flow-deps.ts";

const ID_LENGTH = 14;

export async function createFlashApp(
  { store, clock, ids }: FlowDeps,
  accountId: string,
  { name, once }: { name: string; once: IdempotencyKey | null },
): Promise<FlashApp> {
  throwFault(nameFault(name));
  const app = { id: ids.short(ID_LENGTH), accountId, name, createdAt: clock.now() };
  return createOnceIn({ store, once, now: app.createdAt }, () => createApp(app));
}

export async function createFlashEnvironment(
  { store, clock, ids }: FlowDeps,
  accountId: string,
  { appId, name, once }: { appId: string; name: string; once: IdempotencyKey | null },
): Promise<FlashEnvironment> {
  throwFault(nameFault(name));
  const id = ids.short(ID_LENGTH);
  const environment = { id, appId, name, createdAt: clock.now(), activeBuildId: null };
  return createOnceIn({ store, once, now: environment.createdAt }, () =>
    createEnvironment(accountId, environment),
  );
}

function throwFault(fault: Fault | null): void {
  if (fault) throw fault;
}
