// The tables `endpoint` and `release`.

import {
  type Endpoint,
  type EndpointSpec,
  endpointDefaults,
} from "../../domain/endpoint/endpoint.ts";
import type { Release, ReleaseWorkload } from "../../domain/endpoint/release.ts";
import { topic } from "../engine/notifier.ts";
import { columnList } from "../engine/row/column-list.ts";
import { labelsFrom, labelText } from "../engine/row/columns.ts";
import { type OwnerColumns, ownerFrom, withOwner } from "../engine/row/owner.ts";
import { type ListSelection, selectionSql } from "../engine/row/selection.ts";
import { change, notify, row, rows, type Tx } from "../engine/statement.ts";

const OWNED = withOwner("endpoint");

interface Row extends OwnerColumns {
  id: string;
  account_id: string;
  key_id: string;
  name: string;
  labels: string | null;
  template_id: string;
  spec: string;
  version: number;
  created_at: number;
  deleted_at: number | null;
}

export function* insertEndpoint(endpoint: Endpoint, release: Release): Tx<void> {
  yield* change(
    `insert into endpoint (id, account_id, key_id, name, labels, template_id, spec, version, created_at, owner_id)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    endpoint.id,
    endpoint.accountId,
    endpoint.keyId,
    endpoint.name,
    labelText(endpoint.labels),
    endpoint.templateId,
    JSON.stringify(endpoint.spec),
    endpoint.version,
    endpoint.createdAt,
    endpoint.owner?.id ?? null,
  );
  yield* insertRelease(release);
  yield* changed(endpoint);
}

/** Updates an endpoint, and adds a release if its workload changed. */
export function* updateEndpoint(endpoint: Endpoint, release: Release | null): Tx<void> {
  yield* change(
    "update endpoint set name = ?, labels = ?, template_id = ?, spec = ?, version = ? where id = ?",
    endpoint.name,
    labelText(endpoint.labels),
    endpoint.templateId,
    JSON.stringify(endpoint.spec),
    endpoint.version,
    endpoint.id,
  );
  if (release) yield* insertRelease(release);
  yield* changed(endpoint);
}

export function* markEndpointDeleted(endpoint: Endpoint, now: number): Tx<void> {
  const { id } = endpoint;
  yield* change("update endpoint set deleted_at = ? where id = ? and deleted_at is null", now, id);
  yield* changed(endpoint);
}

/** An endpoint that is not deleted. */
export function* findEndpoint(id: string): Tx<Endpoint | undefined> {
  const found = yield* row<Row>(
    `select ${OWNED} from endpoint where id = ? and deleted_at is null`,
    id,
  );
  return found && fromRow(found);
}

/** An endpoint that is not deleted, locked until the transaction commits. */
export function* lockEndpoint(id: string): Tx<Endpoint | undefined> {
  const found = yield* row<Row>(
    `select ${OWNED} from endpoint where id = ? and deleted_at is null /*+ for update */`,
    id,
  );
  return found && fromRow(found);
}

/** An endpoint, also a deleted one: its workers may still drain. */
export function* findEndpointOrDeleted(id: string): Tx<Endpoint | undefined> {
  const found = yield* row<Row>(`select ${OWNED} from endpoint where id = ?`, id);
  return found && fromRow(found);
}

export function* listEndpoints(accountId: string): Tx<Endpoint[]> {
  const found = yield* rows<Row>(
    `select ${OWNED} from endpoint where account_id = ? and deleted_at is null order by created_at, id`,
    accountId,
  );
  return found.map(fromRow);
}

/** An account's endpoints after a position, newest first. */
export function* endpointsAfter(accountId: string, selection: ListSelection): Tx<Endpoint[]> {
  const [selected, params] = selectionSql(selection);
  const found = yield* rows<Row>(
    `select ${OWNED} from endpoint where account_id = ? and deleted_at is null ${selected}`,
    accountId,
    ...params,
  );
  return found.map(fromRow);
}

/** The endpoints that the loops manage: live ones, and deleted ones with workers or jobs left. */
export function* endpointsToManage(): Tx<Endpoint[]> {
  const found = yield* rows<Row>(
    `select ${OWNED} from endpoint where deleted_at is null
       or id in (select endpoint_id from worker where observed <> 'ended')
       or id in (select endpoint_id from tally group by endpoint_id having sum(in_queue) > 0)`,
  );
  return found.map(fromRow);
}

/**
 * The endpoints that use a template, locked until the transaction commits. Lock the template first.
 */
export function* lockEndpointsUsing(templateId: string): Tx<Endpoint[]> {
  const found = yield* rows<Row>(
    `select ${OWNED} from endpoint where template_id = ? and deleted_at is null
     order by id /*+ for update */`,
    templateId,
  );
  return found.map(fromRow);
}

/** The endpoints that use a template, not locked. */
export function* listEndpointsUsing(templateId: string): Tx<Endpoint[]> {
  const found = yield* rows<Row>(
    `select ${OWNED} from endpoint where template_id = ? and deleted_at is null order by id`,
    templateId,
  );
  return found.map(fromRow);
}

export function* findRelease(endpointId: string, version: number): Tx<Release | undefined> {
  const [found] = (yield* listReleases(endpointId)).filter((each) => each.version === version);
  return found;
}

interface ReleaseRow {
  endpoint_id: string;
  version: number;
  workload: string;
  reason: string;
  created_at: number;
}

const RELEASE_COLUMNS = columnList<ReleaseRow>()(
  "endpoint_id",
  "version",
  "workload",
  "reason",
  "created_at",
);

export function* listReleases(endpointId: string): Tx<Release[]> {
  const found = yield* rows<ReleaseRow>(
    `select ${RELEASE_COLUMNS} from release where endpoint_id = ? order by version desc`,
    endpointId,
  );
  return found.map((each) => ({
    endpointId: each.endpoint_id,
    version: each.version,
    workload: workloadFrom(each.workload),
    reason: each.reason,
    createdAt: each.created_at,
  }));
}

/** The values of fields that older releases' workloads lack. */
const defaults = { entrypoint: [], containerRegistryAuthId: "", networkVolumeIds: [] };

function workloadFrom(text: string): ReleaseWorkload {
  const workload = JSON.parse(text) as Omit<ReleaseWorkload, keyof typeof defaults> &
    Partial<ReleaseWorkload>;
  return { ...defaults, ...workload };
}

/**
 * Deletes releases but the newest of each endpoint and those of stored workers; all but the latter of a deleted
 * endpoint. The container of an ended worker stays for its logs, and its release names what it mounts. Returns how many.
 */
export function* deleteOldReleases(keptReleases: number, limit: number): Tx<number> {
  return yield* change(
    `delete from release where (endpoint_id, version) in (
       select release.endpoint_id, release.version from endpoint
       join release on release.endpoint_id = endpoint.id and release.version <=
         case when endpoint.deleted_at is null then endpoint.version - ? else endpoint.version end
       where not exists (select 1 from worker where worker.endpoint_id = release.endpoint_id
         and worker.version = release.version)
       limit ?)`,
    keptReleases,
    limit,
  );
}

function* insertRelease(release: Release): Tx<void> {
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

function* changed({ id, accountId }: Pick<Endpoint, "id" | "accountId">): Tx<void> {
  yield* notify(topic.changed(accountId, "endpoint", id));
  yield* notify(topic.authCache);
  yield* notify(topic.fleet);
}

function fromRow(found: Row): Endpoint {
  return {
    id: found.id,
    accountId: found.account_id,
    keyId: found.key_id,
    name: found.name,
    labels: labelsFrom(found.labels),
    templateId: found.template_id,
    version: found.version,
    createdAt: found.created_at,
    ...ownerFrom(found),
    deletedAt: found.deleted_at,
    // Endpoints of earlier versions lack some settings.
    spec: { ...endpointDefaults, ...(JSON.parse(found.spec) as EndpointSpec) },
  };
}
