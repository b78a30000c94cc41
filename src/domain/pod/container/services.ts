// Services that images start on request: an SSH server, and Jupyter behind a password.

import type { TemplateSpec } from "../../template/template.ts";
import type { PodSpec } from "../spec.ts";

export interface Services {
  ssh: boolean;
  jupyter: boolean;
}

export function servicesOf(
  request: Services | undefined,
  template: TemplateSpec | undefined,
): Services {
  return {
    ssh: request?.ssh === true || template?.startSsh === true,
    jupyter: request?.jupyter === true || template?.startJupyter === true,
  };
}

/** Adds their ports, and the variable that makes images start Jupyter. */
export function withServices(
  spec: PodSpec,
  services: Services,
  { short }: { short: (length: number) => string },
): PodSpec {
  const ports = [...new Set([...spec.ports, ...servicePorts(services)])];
  if (!services.jupyter || spec.env.JUPYTER_PASSWORD !== undefined) return { ...spec, ports };
  return { ...spec, ports, env: { ...spec.env, JUPYTER_PASSWORD: short(32) } };
}

export function servicePorts({ ssh, jupyter }: Services): string[] {
  return [...(ssh ? ["22/tcp"] : []), ...(jupyter ? ["8888/http"] : [])];
}
