// An endpoint with what belongs to it: its template, and its workers where they are asked for.

import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import type { Release } from "../../domain/endpoint/release.ts";
import { Fault } from "../../domain/fault.ts";
import type { Template } from "../../domain/template/template.ts";
import { findEndpoint, listEndpoints, listReleases } from "../../store/endpoint/endpoint.ts";
import type { Verb } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";
import { findTemplate } from "../../store/template/template.ts";
import { type LiveWorker, liveWorkers } from "../../store/worker/worker.ts";

export interface EndpointView {
  endpoint: Endpoint;
  template: Template;
  /** Those that have not ended; null where they were not asked for. */
  workers: WorkerView[] | null;
}

export interface WorkerView {
  worker: LiveWorker;
  /** What its version runs. */
  release: Release | undefined;
}

export async function readEndpoint(
  { store }: { store: Store },
  accountId: string,
  id: string,
  withWorkers: boolean,
): Promise<EndpointView> {
  const view = await store.read(viewById, accountId, id, withWorkers);
  if (!view) throw new Fault("endpoint_not_found", { id });
  return view;
}

export async function readEndpoints(
  { store }: { store: Store },
  accountId: string,
  withWorkers: boolean,
): Promise<EndpointView[]> {
  return store.read(views, accountId, withWorkers);
}

function* viewById(accountId: string, id: string, withWorkers: boolean) {
  const endpoint = yield* findEndpoint(id);
  return endpoint?.accountId === accountId ? yield* viewOf(endpoint, withWorkers) : null;
}

function* views(accountId: string, withWorkers: boolean): Verb<EndpointView[]> {
  const found: EndpointView[] = [];
  for (const endpoint of yield* listEndpoints(accountId)) {
    found.push(yield* viewOf(endpoint, withWorkers));
  }
  return found;
}

function* viewOf(endpoint: Endpoint, withWorkers: boolean): Verb<EndpointView> {
  const template = yield* findTemplate(endpoint.templateId);
  const view = { endpoint, template: template!, workers: null };
  if (!withWorkers) return view;
  const releases = yield* listReleases(endpoint.id);
  const workers = (yield* liveWorkers(endpoint.id)).map((worker) => {
    return { worker, release: releases.find(({ version }) => version === worker.version) };
  });
  return { ...view, workers };
}
