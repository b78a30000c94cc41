// Whether an endpoint can use a template: it is the account's own, and there is something to start.
// A container has its image's command; a process has only what the template says.

import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import type { ReleaseWorkload } from "../../domain/endpoint/release.ts";
import { Fault } from "../../domain/fault.ts";
import { hasCommand } from "../../domain/template/mistakes.ts";
import type { Template } from "../../domain/template/template.ts";

export interface StartRules {
  /** Which driver would run a workload; null if none here can. */
  driverFor: (workload: Pick<ReleaseWorkload, "driver">) => string | null;
}

/** The fault that says why it cannot, or null. */
export function cannotUse(
  { driverFor }: StartRules,
  endpoint: Pick<Endpoint, "accountId" | "templateId" | "spec">,
  template: Template | undefined,
): Fault | null {
  if (template?.accountId !== endpoint.accountId) {
    const detail = `"templateId" must be one of your templates; there is no "${endpoint.templateId}".`;
    return new Fault("invalid_body", { detail });
  }
  if (driverFor(template.spec) !== "process") return null;
  if (!hasCommand(template.spec)) return new Fault("no_start_command", { id: template.id });
  if (endpoint.spec.networkVolumeIds.length === 0) return null;
  const detail =
    "Network volumes are mounted into containers; here this endpoint's workers would be processes.";
  return new Fault("not_offered", { detail });
}
