// The validation of a template beyond the schema.

import { containerCommandErrors } from "../container/command-limits.ts";
import { validatePorts } from "../container/ports.ts";
import { imageNameErrors } from "../image/image-name.ts";
import type { TemplateSpec } from "./template.ts";

/** A sentence for each invalid setting. `stored` has the settings before a change. */
export function validateTemplate(spec: TemplateSpec, stored?: TemplateSpec): string[] {
  const errors = [
    ...imageNameErrors(spec.imageName, stored?.imageName),
    ...containerCommandErrors(spec),
    ...validatePorts(spec.ports),
  ];
  if (spec.driver === "process" && !hasCommand(spec)) {
    errors.push(
      '"dockerStartCmd" is empty; with the driver "process" it must hold the command to run, for ' +
        "an image alone is not enough.",
    );
  }
  for (const rule of ["stopWhenIdle", "maxLifetime"] as const) {
    if (spec.isServerless && spec[rule])
      errors.push(`"${rule}" is for Pods, and the template is for endpoints; leave it out.`);
  }
  return errors;
}

/** A container can use its image's command; a process has only the template's. */
export function hasCommand(spec: TemplateSpec): boolean {
  return spec.dockerEntrypoint.length + spec.dockerStartCmd.length > 0;
}
