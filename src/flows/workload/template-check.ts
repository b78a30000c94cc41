// The check whether an endpoint can use a template: it must belong to the account and have something
// to start. A container can use its image's command; a process needs the template's command.

import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import type { Release } from "../../domain/endpoint/release.ts";
import { Fault } from "../../domain/fault.ts";
import { servingErrors } from "../../domain/serving/serving.ts";
import type { Template } from "../../domain/template/template.ts";
import { hasCommand } from "../../domain/template/validate.ts";

export interface StartRules {
  /** The driver that would run a new workload; null if none can. */
  driverFor: (workload: { driver: string | null }) => string | null;
}

/** A release that is made where only simulated workers can run it keeps to them. */
export function withDriver({ driverFor }: StartRules, release: Release): Release {
  if (driverFor(release.workload) !== "simulated") return release;
  return { ...release, workload: { ...release.workload, driver: "simulated" } };
}

/** The fault if the endpoint cannot use the template, or null. */
export function templateFault(
  { driverFor }: StartRules,
  endpoint: Pick<Endpoint, "accountId" | "templateId" | "spec">,
  template: Template | undefined,
): Fault | null {
  if (template?.accountId !== endpoint.accountId) {
    const detail = `"templateId" must be one of your templates; there is no "${endpoint.templateId}".`;
    return new Fault("invalid_body", { detail });
  }
  if (endpoint.spec.type === "LB") {
    const errors = servingErrors(template.spec.env);
    if (errors.length > 0) return new Fault("invalid_body", { detail: errors.join(" ") });
  }
  if (driverFor(template.spec) !== "process") return null;
  if (!hasCommand(template.spec)) return new Fault("no_start_command", { id: template.id });
  if (endpoint.spec.networkVolumeIds.length === 0) return null;
  const detail =
    "Network volumes need containers, but this endpoint's workers would run as processes.";
  return new Fault("not_offered", { detail });
}
