// What a new or changed template is asked for, in the form of the management interface.

import {
  type TemplateCreate,
  type TemplateUpdate,
  templateCreate,
  templateUpdate,
} from "../../contract/rest-v1/template.ts";
import { Fault } from "../../domain/fault.ts";
import { readDockerArgs } from "../../domain/pod/docker-args.ts";
import type { TemplateChanges } from "../../domain/template/change.ts";
import type { Template, TemplateSpec } from "../../domain/template/template.ts";
import { bodyReader } from "../rest-v1/read-body.ts";
import { envObject, given, parts, type Variable } from "./given.ts";

export interface TemplateInput {
  id?: string | null;
  advancedStart?: boolean | null;
  category?: "AMD" | "CPU" | "GPU" | "NVIDIA" | null;
  config?: unknown;
  containerDiskInGb?: number | null;
  containerRegistryAuthId?: string | null;
  dockerArgs?: string | null;
  driver?: string | null;
  env?: (Variable | null)[] | null;
  imageName?: string | null;
  isPublic?: boolean | null;
  isServerless?: boolean | null;
  name?: string | null;
  ports?: string | null;
  portsConfig?: ({ port: string; name: string } | null)[] | null;
  readme?: string | null;
  startJupyter?: boolean | null;
  startScript?: string | null;
  startSsh?: boolean | null;
  volumeInGb?: number | null;
  volumeMountPath?: string | null;
}

const readNew = bodyReader(templateCreate, undefined);
const readChanges = bodyReader(templateUpdate, undefined);

export function newTemplateOf(input: TemplateInput): {
  name: string;
  settings: Partial<TemplateSpec> & { imageName: string };
} {
  const { category, isServerless, ...rest } = given(input);
  const fixed = { ...(category && { category: kindOf(category) }), ...given({ isServerless }) };
  const body = readNew({ ...shared(rest), ...fixed }) as TemplateCreate;
  const { name, ...settings } = body;
  return { name, settings: { ...settings, ...extras(rest) } };
}

/** What can be said only once may be said again, if it is the same. */
export function templateChangesOf(input: TemplateInput, before: Template): TemplateChanges {
  const { category, isServerless, ...rest } = given(input);
  const { spec } = before;
  if (category && kindOf(category) !== spec.category) throw settled("category", spec.category);
  if (isServerless !== undefined && isServerless !== spec.isServerless) {
    throw settled("isServerless", spec.isServerless);
  }
  return { ...(readChanges(shared(rest)) as TemplateUpdate), ...extras(rest) };
}

type Given = ReturnType<typeof given<Omit<TemplateInput, "category" | "isServerless">>>;

function shared(input: Given): Record<string, unknown> {
  const { id: _, env, ports, dockerArgs, startScript, ...rest } = input;
  if (startScript) {
    const detail = 'A start script is not offered; put its command into "dockerArgs".';
    throw new Fault("not_offered", { detail });
  }
  const { advancedStart, config, portsConfig, startJupyter, startSsh, ...same } = rest;
  return {
    ...same,
    ...(env && { env: envObject(env) }),
    ...(ports && { ports: parts(ports) }),
    ...(dockerArgs && readDockerArgs(dockerArgs)),
  };
}

/** What only this interface has. */
function extras(input: Given): Partial<TemplateSpec> {
  const { advancedStart, config, portsConfig, startJupyter, startSsh } = input;
  const labels = portsConfig?.flatMap((each) => (each ? [[each.port, each.name]] : []));
  return {
    ...given({ advancedStart, startJupyter, startSsh }),
    ...(config !== undefined && { config }),
    ...(labels && { portLabels: Object.fromEntries(labels) as Record<string, string> }),
  };
}

/** "GPU" is what one vendor's GPUs are called as well. */
function kindOf(category: "AMD" | "CPU" | "GPU" | "NVIDIA"): TemplateSpec["category"] {
  return category === "GPU" ? "NVIDIA" : category;
}

function settled(field: string, is: string | boolean): Fault {
  const detail = `"${field}" is ${is}, and can only be chosen when a template is made.`;
  return new Fault("invalid_body", { detail });
}
