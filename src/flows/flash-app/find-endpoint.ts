// Finds the endpoint of a Flash function by the names of its app, its environment and itself.

import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import { Fault } from "../../domain/fault.ts";
import { resourceNameOf } from "../../domain/flash/app.ts";
import { listEndpoints } from "../../store/endpoint/endpoint.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { environmentNamed } from "../../store/flash-app/environment.ts";
import { flashAppNamed } from "../../store/flash-app/flash-app.ts";

export interface FlashFunction {
  app: string;
  environment: string;
  name: string;
}

/** Throws if the account has no such endpoint. */
export async function readFlashEndpoint(
  { store }: { store: Store },
  accountId: string,
  wanted: FlashFunction,
): Promise<Endpoint> {
  const endpoint = await store.read(find, accountId, wanted);
  if (!endpoint) throw functionNotFound(wanted);
  return endpoint;
}

export function functionNotFound({ app, environment, name }: FlashFunction): Fault {
  const id = `"${[app, environment, name].join("/").slice(0, 191)}"`;
  return new Fault("endpoint_not_found", { id });
}

function* find(accountId: string, wanted: FlashFunction): Tx<Endpoint | undefined> {
  const app = yield* flashAppNamed(accountId, wanted.app);
  const environment = app && (yield* environmentNamed(app.id, wanted.environment));
  if (!environment) return undefined;
  return (yield* listEndpoints(accountId)).find(
    ({ name, spec }) =>
      spec.flashEnvironmentId === environment.id &&
      resourceNameOf(name) === resourceNameOf(wanted.name),
  );
}
