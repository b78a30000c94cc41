// Endpoints with their releases, and the templates that are made for them.

import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import type { Release } from "../../domain/endpoint/release.ts";
import { Fault } from "../../domain/fault.ts";
import { isSameLabels } from "../../domain/label/labels.ts";
import type { Template } from "../../domain/template/template.ts";
import { findEndpoint, insertEndpoint, updateEndpoint } from "../../store/endpoint/endpoint.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { insertTemplate } from "../../store/template/template.ts";
import { attributeWorkers } from "../worker/meter.ts";

/** A new endpoint with its first release, and the template that it is created with. */
export function* saveNewEndpoint(
  endpoint: Endpoint,
  release: Release,
  template: Template | null,
): Tx<Fault | null> {
  const refusal = template && (yield* saveNewTemplate(template));
  if (refusal) return refusal;
  yield* insertEndpoint(endpoint, release);
  return null;
}

/** An endpoint, and its release where the change needs new workers. */
export function* saveEndpoint(endpoint: Endpoint, release: Release | null, at: number): Tx<void> {
  const before = yield* findEndpoint(endpoint.id);
  yield* updateEndpoint(endpoint, release);
  if (before && !isSameLabels(before.labels, endpoint.labels)) {
    yield* attributeWorkers(endpoint, at);
  }
}

/** An endpoint that runs a new copy of a template from now on. */
export function* saveEndpointWithCopy(
  endpoint: Endpoint,
  release: Release | null,
  copy: Template,
): Tx<Fault | null> {
  const refusal = yield* saveNewTemplate(copy);
  if (refusal) return refusal;
  yield* saveEndpoint(endpoint, release, copy.createdAt);
  return null;
}

function* saveNewTemplate(template: Template): Tx<Fault | null> {
  if ((yield* insertTemplate(template)) === "done") return null;
  return new Fault("name_taken", { noun: "template", name: template.name });
}
