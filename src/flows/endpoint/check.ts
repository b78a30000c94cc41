// What every flow that keeps an endpoint's settings asks of them first.

import type { Catalog } from "../../domain/catalog/catalog.ts";
import type { EndpointSpec } from "../../domain/endpoint/endpoint.ts";
import { endpointMistakes } from "../../domain/endpoint/mistakes.ts";
import { type EndpointWishes, notOffered } from "../../domain/endpoint/wishes.ts";
import { Fault } from "../../domain/fault.ts";
import type { StartRules } from "./cannot-use.ts";

export interface EndpointRules extends StartRules {
  catalog: Catalog;
}

/** The fault that names everything wrong with the wishes, or null. */
export function checkEndpoint(
  { catalog }: EndpointRules,
  wishes: EndpointWishes,
  result: EndpointSpec,
): Fault | null {
  const mistakes = endpointMistakes(catalog, wishes, result);
  if (mistakes.length > 0) return new Fault("invalid_body", { detail: mistakes.join(" ") });
  const missing = notOffered(wishes);
  return missing ? new Fault("not_offered", { detail: missing }) : null;
}
