// Whether an endpoint can use a template: it is the account's own, and there is something to start.
// A container has its image's command; a process has only what the template says.

import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import { type ReleaseWorkload, workloadOf } from "../../domain/endpoint/release.ts";
import { Fault } from "../../domain/fault.ts";
import { hasCommand } from "../../domain/template/mistakes.ts";
import type { Template } from "../../domain/template/template.ts";

export interface StartRules {
  /** Which driver would run a workload; null if none here can. */
  driverFor: (workload: ReleaseWorkload) => string | null;
}

/** The fault that says why it cannot, or null. */
export function cannotUse(
  { driverFor }: StartRules,
  endpoint: Pick<Endpoint, "accountId" | "templateId">,
  template: Template | undefined,
): Fault | null {
  if (template?.accountId !== endpoint.accountId) {
    const detail = `"templateId" must be one of your templates; there is no "${endpoint.templateId}".`;
    return new Fault("invalid_body", { detail });
  }
  if (hasCommand(template.spec) || driverFor(workloadOf(template.spec)) !== "process") return null;
  return new Fault("no_start_command", { id: template.id });
}
