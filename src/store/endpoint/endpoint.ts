// Endpoints and their releases in the store.

import type { Endpoint, EndpointSpec } from "../../domain/endpoint/endpoint.ts";
import type { Release, ReleaseWorkload } from "../../domain/endpoint/release.ts";
import { change, ring, row, rows, type Verb } from "../statement.ts";
import { topic } from "../wakes.ts";

interface Row {
  id: string;
  account_id: string;
  key_id: string;
  name: string;
  template_id: string;
  spec: string;
  version: number;
  created_at: number;
  deleted_at: number | null;
}

export function* insertEndpoint(endpoint: Endpoint, release: Release): Verb<void> {
  yield* change(
    `insert into endpoint (id, account_id, key_id, name, template_id, spec, version, created_at)
     values (?, ?, ?, ?, ?, ?, ?, ?)`,
    endpoint.id,
    endpoint.accountId,
    endpoint.keyId,
    endpoint.name,
    endpoint.templateId,
    JSON.stringify(endpoint.spec),
    endpoint.version,
    endpoint.createdAt,
  );
  yield* insertRelease(release);
  yield* changed(endpoint);
}

/** Writes the settings, and the release if they make one. */
export function* updateEndpoint(endpoint: Endpoint, release: Release | null): Verb<void> {
  yield* change(
    "update endpoint set name = ?, template_id = ?, spec = ?, version = ? where id = ?",
    endpoint.name,
    endpoint.templateId,
    JSON.stringify(endpoint.spec),
    endpoint.version,
    endpoint.id,
  );
  if (release) yield* insertRelease(release);
  yield* changed(endpoint);
}

export function* markEndpointDeleted(endpoint: Endpoint, now: number): Verb<void> {
  const { id } = endpoint;
  yield* change("update endpoint set deleted_at = ? where id = ? and deleted_at is null", now, id);
  yield* changed(endpoint);
}

/** An endpoint that is not deleted. */
export function* findEndpoint(id: string): Verb<Endpoint | undefined> {
  const found = yield* row<Row>("select * from endpoint where id = ? and deleted_at is null", id);
  return found && fromRow(found);
}

/** The same, and nobody else changes it before the surrounding turn is committed. */
export function* lockEndpoint(id: string): Verb<Endpoint | undefined> {
  const found = yield* row<Row>(
    "select * from endpoint where id = ? and deleted_at is null /*+ for update */",
    id,
  );
  return found && fromRow(found);
}

/** Also one that was deleted, whose workers still drain. */
export function* findEndpointEver(id: string): Verb<Endpoint | undefined> {
  const found = yield* row<Row>("select * from endpoint where id = ?", id);
  return found && fromRow(found);
}

export function* listEndpoints(accountId: string): Verb<Endpoint[]> {
  const found = yield* rows<Row>(
    "select * from endpoint where account_id = ? and deleted_at is null order by created_at, id",
    accountId,
  );
  return found.map(fromRow);
}

/** All that the loops have to look after: live ones, and deleted ones with workers or jobs left. */
export function* endpointsToTend(): Verb<Endpoint[]> {
  const found = yield* rows<Row>(
    `select * from endpoint where deleted_at is null
       or id in (select endpoint_id from worker where observed <> 'ended')
       or id in (select endpoint_id from tally group by endpoint_id having sum(in_queue) > 0)`,
  );
  return found.map(fromRow);
}

/** The endpoints that use a template, locked; the template must be locked already. */
export function* lockEndpointsUsing(templateId: string): Verb<Endpoint[]> {
  const found = yield* rows<Row>(
    `select * from endpoint where template_id = ? and deleted_at is null
     order by id /*+ for update */`,
    templateId,
  );
  return found.map(fromRow);
}

export function* findRelease(endpointId: string, version: number): Verb<Release | undefined> {
  const [found] = (yield* listReleases(endpointId)).filter((each) => each.version === version);
  return found;
}

export function* listReleases(endpointId: string): Verb<Release[]> {
  const found = yield* rows<{
    endpoint_id: string;
    version: number;
    workload: string;
    reason: string;
    created_at: number;
  }>("select * from release where endpoint_id = ? order by version desc", endpointId);
  return found.map((each) => ({
    endpointId: each.endpoint_id,
    version: each.version,
    workload: workloadFrom(each.workload),
    reason: each.reason,
    createdAt: each.created_at,
  }));
}

/** Releases that were made before workloads had these. */
const earlier = { entrypoint: [], containerRegistryAuthId: "", networkVolumeIds: [] };

function workloadFrom(text: string): ReleaseWorkload {
  const kept = JSON.parse(text) as Omit<ReleaseWorkload, keyof typeof earlier> &
    Partial<ReleaseWorkload>;
  return { ...earlier, ...kept };
}

function* insertRelease(release: Release): Verb<void> {
  yield* change(
    `insert into release (endpoint_id, version, workload, reason, created_at)
     values (?, ?, ?, ?, ?)`,
    release.endpointId,
    release.version,
    JSON.stringify(release.workload),
    release.reason,
    release.createdAt,
  );
}

function* changed({ id, accountId }: Pick<Endpoint, "id" | "accountId">): Verb<void> {
  yield* ring(topic.changed(accountId, "endpoint", id));
  yield* ring(topic.directory);
  yield* ring(topic.fleet);
}

function fromRow(found: Row): Endpoint {
  return {
    id: found.id,
    accountId: found.account_id,
    keyId: found.key_id,
    name: found.name,
    templateId: found.template_id,
    version: found.version,
    createdAt: found.created_at,
    deletedAt: found.deleted_at,
    spec: JSON.parse(found.spec) as EndpointSpec,
  };
}
