// A template as clients read it.

import type { Template } from "../../contract/rest-v1/template.ts";
import type { Template as Kept } from "../../domain/template/template.ts";

export function templateRead({ id, name, spec }: Kept): Template {
  const { startSsh, startJupyter, portLabels, advancedStart, config, ...told } = spec;
  return { id, name, ...told, earned: 0, isRunpod: false, runtimeInMin: 0 };
}
