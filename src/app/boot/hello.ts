// The endpoint `hello`, created on the first start so that the printed curl command has a worker to
// call.

import { existsSync } from "node:fs";
import path from "node:path";
import type { Clock } from "../../base/clock.ts";
import { defaultEndpoint } from "../../domain/endpoint/endpoint.ts";
import { workloadOf } from "../../domain/endpoint/release.ts";
import { noLabels } from "../../domain/label/labels.ts";
import { defaultTemplate, type Template } from "../../domain/template/template.ts";
import {
  findEndpointOrDeleted,
  insertEndpoint,
  updateEndpoint,
} from "../../store/endpoint/endpoint.ts";
import { row, type Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { findTemplate, insertTemplate, updateTemplate } from "../../store/template/template.ts";

const ID = "hello";

/** The example worker: source in a clone, JavaScript in the bundle. */
function exampleWorker(): string {
  const source = path.join(import.meta.dirname, "..", "..", "..", "examples", "hello.ts");
  return existsSync(source) ? source : source.replace(/\.ts$/, ".js");
}

/**
 * Creates the endpoint in a store that is still empty, including one whose first start was
 * interrupted. Later starts only update its command to the path of this installation.
 */
export async function ensureHello(
  { store, clock }: { store: Store; clock: Clock },
  accountId: string,
): Promise<void> {
  const template: Template = {
    id: ID,
    accountId,
    name: ID,
    labels: noLabels,
    createdAt: clock.now(),
    spec: {
      ...defaultTemplate("freehold/hello"),
      driver: "process",
      isServerless: true,
      volumeInGb: 0,
      dockerStartCmd: [process.execPath, exampleWorker()],
      readme: "The example worker that comes with Freehold.",
    },
  };
  await store.write(seed, template, clock.now());
}

function* seed(template: Template, now: number): Tx<void> {
  const known = yield* findTemplate(ID);
  const endpoint = yield* findEndpointOrDeleted(ID);
  if (!known && !endpoint) {
    if (yield* row("select 1 from template union all select 1 from endpoint limit 1")) return;
    yield* insertTemplate(template);
    const endpoint = { ...defaultEndpoint(ID, template.accountId, ID, now), name: ID };
    const workload = workloadOf(template.spec);
    const release = { endpointId: ID, version: 1, workload, reason: "created", createdAt: now };
    yield* insertEndpoint(endpoint, release);
    return;
  }
  if (!known || !endpoint || endpoint.deletedAt !== null) return;
  const { dockerStartCmd } = known.spec;
  const moved = JSON.stringify(dockerStartCmd) !== JSON.stringify(template.spec.dockerStartCmd);
  if (!moved || !dockerStartCmd[1]?.includes(`${path.sep}examples${path.sep}hello.`)) return;
  const spec = { ...known.spec, dockerStartCmd: template.spec.dockerStartCmd };
  yield* updateTemplate({ ...known, spec });
  const version = endpoint.version + 1;
  const workload = workloadOf(spec);
  yield* updateEndpoint(
    { ...endpoint, version },
    { endpointId: ID, version, workload, reason: "Freehold was moved", createdAt: now },
  );
}
