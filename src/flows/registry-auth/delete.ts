// A client deletes a container registry auth that neither a Pod nor an endpoint uses. Templates that
// nobody uses name none from then on.

import { Fault } from "../../domain/fault.ts";
import { deleteRegistryAuth, lockRegistryAuth } from "../../store/registry-auth/registry-auth.ts";
import type { Verb } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";
import { listTemplates, updateTemplate } from "../../store/template/template.ts";
import { usersOf } from "../users.ts";

export async function deleteRegistryAuthOf(
  { store }: { store: Store },
  accountId: string,
  id: string,
): Promise<void> {
  const refusal = await store.write(drop, accountId, id);
  if (refusal) throw refusal;
}

function* drop(accountId: string, id: string): Verb<Fault | null> {
  const auth = yield* lockRegistryAuth(id);
  if (auth?.accountId !== accountId) return new Fault("registry_auth_not_found", { id });
  const all = yield* listTemplates({ accountId, bound: true, public: false });
  const naming = all.filter(({ spec }) => spec.containerRegistryAuthId === id);
  const users = yield* usersOf(accountId, {
    pod: ({ containerRegistryAuthId }) => containerRegistryAuthId === id,
    endpoint: ({ templateId }) => naming.some((template) => template.id === templateId),
  });
  if (users !== null) return new Fault("registry_auth_in_use", { id, users });
  for (const template of naming) {
    yield* updateTemplate({ ...template, spec: { ...template.spec, containerRegistryAuthId: "" } });
  }
  yield* deleteRegistryAuth(auth);
  return null;
}
