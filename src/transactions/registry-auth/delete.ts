// The deletion of a container registry auth that no Pod and no endpoint uses.

import { Fault } from "../../domain/fault.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { deleteRegistryAuth, lockRegistryAuth } from "../../store/registry-auth/registry-auth.ts";
import { listTemplates, updateTemplate } from "../../store/template/template.ts";
import { findUsers } from "../account/find-users.ts";

export function* deleteOwnRegistryAuth(accountId: string, id: string): Tx<Fault | null> {
  const auth = yield* lockRegistryAuth(id);
  if (auth?.accountId !== accountId) return new Fault("registry_auth_not_found", { id });
  const templates = yield* listTemplates({ accountId, bound: true, public: false });
  const referring = templates.filter(({ spec }) => spec.containerRegistryAuthId === id);
  const users = yield* findUsers(accountId, {
    pod: ({ containerRegistryAuthId }) => containerRegistryAuthId === id,
    endpoint: ({ templateId }) => referring.some((template) => template.id === templateId),
  });
  if (users !== null) return new Fault("registry_auth_in_use", { id, users });
  for (const template of referring) {
    yield* updateTemplate({ ...template, spec: { ...template.spec, containerRegistryAuthId: "" } });
  }
  yield* deleteRegistryAuth(auth);
  return null;
}
