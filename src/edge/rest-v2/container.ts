// The container of a Pod, an endpoint or a template: between REST v2 and the settings of the domain.

import { isDeepStrictEqual } from "node:util";
import type { ContainerRequest, ContainerView } from "../../contract/rest-v2/container.ts";
import {
  type ContainerCommand,
  readDockerArgs,
  writeDockerArgs,
} from "../../domain/container/docker-args.ts";
import { Fault } from "../../domain/fault.ts";
import type { TemplateSpec } from "../../domain/template/template.ts";

/** The settings that Pods and templates have in common. */
export interface ContainerFields extends ContainerCommand {
  imageName: string;
  containerDiskInGb: number;
  ports: string[];
  env: Record<string, string>;
  /** Empty or null for none. */
  containerRegistryAuthId: string | null;
  driver?: TemplateSpec["driver"];
}

/** Only what the request sets; a registry of null becomes an empty text. */
export function containerSettings(
  request: ContainerRequest,
): Partial<ContainerFields & { containerRegistryAuthId: string }> {
  const { image, disk, ports, env, registry, driver, args, entrypoint, cmd, ...rest } = request;
  rest satisfies Record<string, never>;
  return {
    ...commandIn({ args, entrypoint, cmd }),
    ...(image !== undefined && { imageName: image }),
    ...(disk !== undefined && { containerDiskInGb: disk }),
    ...(ports !== undefined && { ports }),
    ...(env !== undefined && { env }),
    ...(driver !== undefined && { driver }),
    ...(registry !== undefined && { containerRegistryAuthId: registry ?? "" }),
  };
}

/** `args` is both parts as one text; beside the lists it must say the same. */
function commandIn({
  args,
  entrypoint,
  cmd,
}: Pick<ContainerRequest, "args" | "entrypoint" | "cmd">): Partial<ContainerCommand> {
  const lists = {
    ...(entrypoint !== undefined && { dockerEntrypoint: entrypoint }),
    ...(cmd !== undefined && { dockerStartCmd: cmd }),
  };
  if (args === undefined) return lists;
  const whole: ContainerCommand = {
    dockerEntrypoint: [],
    dockerStartCmd: [],
    ...readDockerArgs(args),
  };
  if (isDeepStrictEqual({ ...whole, ...lists }, whole)) return whole;
  const detail = '"args" differs from "entrypoint" and "cmd"; send only one of the two forms.';
  throw new Fault("invalid_body", { detail });
}

export function containerRead(settings: ContainerFields): ContainerView {
  const { imageName, dockerEntrypoint, dockerStartCmd } = settings;
  return {
    image: imageName,
    args: writeDockerArgs(settings),
    entrypoint: dockerEntrypoint,
    cmd: dockerStartCmd,
    disk: settings.containerDiskInGb,
    ports: settings.ports,
    env: settings.env,
    registry: settings.containerRegistryAuthId || null,
  };
}
