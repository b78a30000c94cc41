// The check that a request of a member whose role sees only its own names nothing of others, in its path, its query or its body.

import type { ApiKey } from "../../../../domain/account.ts";
import { FLASH_WORD } from "../../../../domain/reserved-words.ts";
import {
  limitedMember,
  notOwner,
  type Ownership,
  type Reference,
} from "../../../../flows/member/ownership.ts";
import type { RouteRequest } from "../../request/route.ts";
import { referencesIn } from "./references.ts";
import { type OwnRule, ownRuleOf, parameterKinds } from "./rules.ts";

/** Undefined for other roles, at no cost. The body is checked later, when it was read. */
export function requireOwnThings(
  request: RouteRequest,
  key: ApiKey,
  ownership: Ownership,
): Promise<void> | undefined {
  if (!limitedMember(key)) return undefined;
  const rule = ruleFor(request);
  if (rule === "use") return undefined;
  if (rule === "closed") throw notOwner(`${routeOf(request)} reads or changes what has no owner`);
  return requireNamed(request, key, ownership, rule);
}

async function requireNamed(
  request: RouteRequest,
  key: ApiKey,
  ownership: Ownership,
  rule: OwnRule,
): Promise<void> {
  await ownership.requireOwn(key, [...referencesOfPath(request), ...referencesIn(request.query)]);
  if (rule !== "queryEndpoint") return;
  const { endpointId } = request.query as { endpointId?: unknown };
  await ownership.requireOwnEndpoint(key, endpointId, "endpointId");
}

/** Throws where the body names something of others. Bodies of jobs name nothing. */
export async function requireOwnInBody(
  request: RouteRequest,
  key: ApiKey,
  ownership: Ownership,
): Promise<void> {
  if (!limitedMember(key)) return;
  const rule = ruleFor(request);
  if (rule === "use") return;
  await ownership.requireOwn(key, referencesIn(request.body));
  if (rule !== "filterEndpoint") return;
  const { filter } = (request.body ?? {}) as { filter?: { endpointId?: unknown } | null };
  await ownership.requireOwnEndpoint(key, filter?.endpointId, "filter.endpointId");
}

function ruleFor({ method, routeOptions }: RouteRequest): OwnRule {
  return ownRuleOf(method, routeOptions.url ?? "");
}

const routeOf = ({ method, routeOptions }: RouteRequest) => `${method} ${routeOptions.url ?? ""}`;

function referencesOfPath(request: RouteRequest): Reference[] {
  const params = request.params as Record<string, string>;
  const named = Object.entries(params).flatMap(([name, id]): Reference[] => {
    if (!Object.hasOwn(parameterKinds, name)) return [];
    const kind = id === FLASH_WORD ? "flash" : parameterKinds[name]!;
    return [{ kind, id, isAddressed: true }];
  });
  const { templateId } = params;
  // Other endpoints run what a change of a template changes.
  return templateId && request.method !== "GET"
    ? [...named, { kind: "userOfTemplate", id: templateId }]
    : named;
}
