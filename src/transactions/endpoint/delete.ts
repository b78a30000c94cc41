// The deletion of an endpoint, with its bound template and its schedules: it is marked, and loops end its jobs and workers.

import type { Template } from "../../domain/template/template.ts";
import { findEndpoint, markEndpointDeleted } from "../../store/endpoint/endpoint.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { deleteTemplate, lockTemplate } from "../../store/template/template.ts";
import { findUsers } from "../account/find-users.ts";
import { deleteSchedulesOf } from "../schedule/change.ts";

/** False where the account has no such endpoint. */
export function* markOwnEndpointDeleted(accountId: string, id: string, now: number): Tx<boolean> {
  const endpoint = yield* findEndpoint(id);
  if (endpoint?.accountId !== accountId) return false;
  const template = yield* lockTemplate(endpoint.templateId);
  yield* markEndpointDeleted(endpoint, now);
  yield* deleteSchedulesOf(id);
  if (template?.boundTo === id) yield* deleteUnusedTemplate(template);
  return true;
}

/** The template must be locked. */
export function* deleteUnusedTemplate(template: Template): Tx<void> {
  if (!(yield* isUsed(template))) yield* deleteTemplate(template);
}

function* isUsed({ id, accountId }: Template): Tx<boolean> {
  const users = yield* findUsers(accountId, {
    pod: ({ templateId }) => templateId === id,
    endpoint: ({ templateId }) => templateId === id,
  });
  return users !== null;
}
