// Reading an endpoint with its template and, on request, its workers.

import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import type { Release } from "../../domain/endpoint/release.ts";
import { Fault } from "../../domain/fault.ts";
import { hasLabels } from "../../domain/label/labels.ts";
import type { Template } from "../../domain/template/template.ts";
import type { LiveWorker } from "../../domain/worker/worker.ts";
import {
  endpointsAfter,
  findEndpoint,
  listEndpoints,
  listReleases,
} from "../../store/endpoint/endpoint.ts";
import type { ListFilter, ListSelection } from "../../store/engine/row/selection.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { knownMachines, type StoredMachine } from "../../store/replica/inventory.ts";
import { findTemplate } from "../../store/template/template.ts";
import { liveWorkers } from "../../store/worker/worker.ts";
import { BEFORE_ALL, type Page, type PageRequest, pageOf } from "../page.ts";

export interface EndpointView {
  endpoint: Endpoint;
  template: Template;
  /** Workers that have not ended; null if not requested. */
  workers: WorkerView[] | null;
}

export interface WorkerView {
  worker: LiveWorker;
  /** The release of the worker's version. */
  release: Release | undefined;
  /** Undefined if the machine was removed. */
  machine: StoredMachine | undefined;
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

/** Newest first. */
export async function endpointPage(
  { store }: { store: Store },
  accountId: string,
  { after, limit }: PageRequest,
  filter: ListFilter,
): Promise<Page<EndpointView>> {
  const selected = { after: after ?? BEFORE_ALL, limit: limit + 1, ...filter };
  const found = await store.read(viewsAfter, accountId, selected);
  const { next } = pageOf(
    found.map(({ endpoint }) => endpoint),
    limit,
  );
  const items = found.slice(0, limit);
  return { items: items.filter(({ endpoint }) => hasLabels(endpoint.labels, filter.labels)), next };
}

function* viewsAfter(accountId: string, selected: ListSelection): Tx<EndpointView[]> {
  const found: EndpointView[] = [];
  for (const endpoint of yield* endpointsAfter(accountId, selected)) {
    found.push(yield* viewOf(endpoint, null));
  }
  return found;
}

function* viewById(accountId: string, id: string, withWorkers: boolean) {
  const endpoint = yield* findEndpoint(id);
  if (endpoint?.accountId !== accountId) return null;
  return yield* viewOf(endpoint, withWorkers ? yield* knownMachines() : null);
}

function* views(accountId: string, withWorkers: boolean): Tx<EndpointView[]> {
  const found: EndpointView[] = [];
  const machines = withWorkers ? yield* knownMachines() : null;
  for (const endpoint of yield* listEndpoints(accountId)) {
    found.push(yield* viewOf(endpoint, machines));
  }
  return found;
}

/** The endpoint with its workers if the machines are given. */
function* viewOf(endpoint: Endpoint, machines: StoredMachine[] | null): Tx<EndpointView> {
  const template = yield* findTemplate(endpoint.templateId);
  const view = { endpoint, template: template!, workers: null };
  if (machines === null) return view;
  const releases = yield* listReleases(endpoint.id);
  const workers = (yield* liveWorkers(endpoint.id)).map((worker) => {
    return {
      worker,
      release: releases.find(({ version }) => version === worker.version),
      machine: machines.find(({ machine }) => machine === worker.machine),
    };
  });
  return { ...view, workers };
}
