// A changed template, with the releases of the endpoints that run it.

import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import type { Release } from "../../domain/endpoint/release.ts";
import { Fault } from "../../domain/fault.ts";
import type { Template } from "../../domain/template/template.ts";
import { updateEndpoint } from "../../store/endpoint/endpoint.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { updateTemplate } from "../../store/template/template.ts";

/** No worker ever runs half of a change: the template and the releases are one commit. */
export function* saveTemplate(
  template: Template,
  released: readonly { endpoint: Endpoint; release: Release }[],
): Tx<Fault | null> {
  if ((yield* updateTemplate(template)) === "name_taken") {
    return new Fault("name_taken", { noun: "template", name: template.name });
  }
  for (const { endpoint, release } of released) yield* updateEndpoint(endpoint, release);
  return null;
}
