// The table `release_model`: the commit of each model that the workers of a release get.

import { change, row, rows, type Tx } from "../engine/statement.ts";

export interface ReleaseModel {
  endpointId: string;
  version: number;
  /** owner/name */
  model: string;
  revision: string;
  commit: string;
}

/** Keeps the commit that is there, if there is one; returns which it is. */
export function* insertReleaseModel(pin: ReleaseModel): Tx<string> {
  yield* change(
    `insert into release_model (endpoint_id, version, model, revision, commit_id)
     values (?, ?, ?, ?, ?) on conflict (endpoint_id, version, model) do nothing`,
    pin.endpointId,
    pin.version,
    pin.model,
    pin.revision,
    pin.commit,
  );
  const found = yield* row<{ commit_id: string }>(
    "select commit_id from release_model where endpoint_id = ? and version = ? and model = ?",
    pin.endpointId,
    pin.version,
    pin.model,
  );
  return found!.commit_id;
}

/** The models of all releases of an endpoint. */
export function* modelsOfReleases(endpointId: string): Tx<ReleaseModel[]> {
  const found = yield* rows<ReleaseModel>(
    `select endpoint_id as "endpointId", version, model, revision, commit_id as "commit"
     from release_model where endpoint_id = ? order by version, model`,
    endpointId,
  );
  return found.map((each) => ({ ...each }));
}

export function* releaseModels(endpointId: string, version: number): Tx<ReleaseModel[]> {
  return (yield* modelsOfReleases(endpointId)).filter((each) => each.version === version);
}

/** Deletes the pins of releases that are deleted. */
export function* deleteOrphanedPins(): Tx<number> {
  return yield* change(
    `delete from release_model where not exists (select 1 from release
       where release.endpoint_id = release_model.endpoint_id and release.version = release_model.version)`,
  );
}

/** The models that workers on a machine use. */
export function* modelsInUseOn(machine: string): Tx<Pick<ReleaseModel, "model" | "commit">[]> {
  const found = yield* rows<Pick<ReleaseModel, "model" | "commit">>(
    `select distinct release_model.model, release_model.commit_id as "commit" from release_model
     join worker on worker.endpoint_id = release_model.endpoint_id
       and worker.version = release_model.version
     where worker.machine = ? and worker.observed <> 'ended'`,
    machine,
  );
  return found.map((each) => ({ ...each }));
}
