// Services that images start where they are asked to: an SSH server, and Jupyter behind a password.

import type { TemplateSpec } from "../template/template.ts";
import type { PodSpec } from "./pod.ts";

export interface Services {
  ssh: boolean;
  jupyter: boolean;
}

export function servicesOf(
  asked: Services | undefined,
  template: TemplateSpec | undefined,
): Services {
  return {
    ssh: asked?.ssh === true || template?.startSsh === true,
    jupyter: asked?.jupyter === true || template?.startJupyter === true,
  };
}

/** The ports they are reached by, and the variable that makes images start Jupyter. */
export function withServices(
  spec: PodSpec,
  { ssh, jupyter }: Services,
  { short }: { short: (length: number) => string },
): PodSpec {
  const wanted = [...(ssh ? ["22/tcp"] : []), ...(jupyter ? ["8888/http"] : [])];
  const ports = [...new Set([...spec.ports, ...wanted])];
  if (!jupyter || spec.env.JUPYTER_PASSWORD !== undefined) return { ...spec, ports };
  return { ...spec, ports, env: { ...spec.env, JUPYTER_PASSWORD: short(32) } };
}
