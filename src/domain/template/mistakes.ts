// What is wrong with a template beyond the form of its fields.

import { portMistakes } from "../pod/ports.ts";
import type { TemplateSpec } from "./template.ts";

/** Everything that is wrong with these settings, a sentence each. */
export function templateMistakes(spec: TemplateSpec): string[] {
  const mistakes = portMistakes(spec.ports);
  if (spec.driver === "process" && !hasCommand(spec)) {
    mistakes.push(
      '"dockerStartCmd" is empty; with the driver "process" it must hold the command to run, for ' +
        "an image alone is not enough.",
    );
  }
  return mistakes;
}

/** A container has its image's command; a process has only what the template says. */
export function hasCommand(spec: TemplateSpec): boolean {
  return spec.dockerEntrypoint.length + spec.dockerStartCmd.length > 0;
}
