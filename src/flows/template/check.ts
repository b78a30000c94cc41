// Validation of a template, shared by the flows that save one.

import { type PortLimits, tooManyPorts } from "../../domain/container/ports.ts";
import { Fault } from "../../domain/fault.ts";
import type { TemplateSpec } from "../../domain/template/template.ts";
import { validateTemplate } from "../../domain/template/validate.ts";

/** The fault that lists every error, or null. `stored` has the settings before a change. */
export function checkTemplate(
  portLimits: PortLimits,
  spec: TemplateSpec,
  stored?: TemplateSpec,
): Fault | null {
  const errors = [...validateTemplate(spec, stored), ...tooManyPorts(spec.ports, portLimits)];
  return errors.length > 0 ? new Fault("invalid_body", { detail: errors.join(" ") }) : null;
}
