// Template inputs as the REST interface's bodies, so that both are validated by the same schema.

import { templateCreate, templateUpdate } from "../../../contract/rest-v1/template/template.ts";
import { readDockerArgs } from "../../../domain/container/docker-args.ts";
import { Fault } from "../../../domain/fault.ts";
import { noLabels } from "../../../domain/label/labels.ts";
import type { TemplateChanges } from "../../../domain/template/change.ts";
import type { Template, TemplateSpec } from "../../../domain/template/template.ts";
import type { NewTemplate } from "../../../flows/template/create.ts";
import { bodyReader } from "../../management/serve/read-body.ts";
import { takeFields } from "../../management/serve/take-fields.ts";
import { withPodRules } from "../../management/template/pod-rules.ts";
import {
  envObject,
  labelsObject,
  type Present,
  presentFields,
  splitList,
} from "../schema/input.ts";
import type { SaveTemplateInput, TemplateCategory } from "../schema/types.generated.ts";

/** What saves a template, whether by itself or together with an endpoint. */
export type TemplateInput = SaveTemplateInput;

const readCreateBody = bodyReader(templateCreate, undefined);
const readUpdateBody = bodyReader(templateUpdate, undefined);

export function newTemplateFrom(input: TemplateInput): NewTemplate {
  const { category, isServerless, ...rest } = presentFields(input);
  const createOnly = {
    ...(category && { category: categoryOf(category) }),
    ...presentFields({ isServerless }),
  };
  const body = readCreateBody({ ...sharedBody(rest), ...createOnly });
  const { name, labels = noLabels, ...settings } = withPodRules(body);
  return { name, labels, settings: { ...settings, ...graphqlOnly(rest) } };
}

/** A field that cannot change is accepted with its present value. */
export function templateChangesFrom(input: TemplateInput, before: Template): TemplateChanges {
  const { category, isServerless, ...rest } = presentFields(input);
  const { spec } = before;
  if (category && categoryOf(category) !== spec.category)
    throw immutableField("category", spec.category);
  if (isServerless !== undefined && isServerless !== spec.isServerless) {
    throw immutableField("isServerless", spec.isServerless);
  }
  const body = readUpdateBody(sharedBody(rest));
  return { ...withPodRules(body), ...graphqlOnly(rest) };
}

type PresentInput = Present<Omit<TemplateInput, "category" | "isServerless">>;

function sharedBody(input: PresentInput): Record<string, unknown> {
  const { id: _, env, labels, ports, dockerArgs, startScript, ...rest } = input;
  if (startScript) {
    const detail = 'A start script is not offered; put its command into "dockerArgs".';
    throw new Fault("not_offered", { detail });
  }
  const { advancedStart, config, portsConfig, startJupyter, startSsh, ...same } = rest;
  const [settings, unread] = takeFields(same, templateUpdate.properties);
  unread satisfies Record<string, never>;
  return {
    ...settings,
    ...(env && { env: envObject(env) }),
    ...(labels && { labels: labelsObject(labels) }),
    ...(ports && { ports: splitList(ports) }),
    ...(dockerArgs && readDockerArgs(dockerArgs)),
  };
}

/** Settings that REST does not have. */
function graphqlOnly(input: PresentInput): Partial<TemplateSpec> {
  const { advancedStart, config, portsConfig, startJupyter, startSsh } = input;
  const labels = portsConfig?.flatMap((each) => (each ? [[each.port, each.name]] : []));
  return {
    ...presentFields({ advancedStart, startJupyter, startSsh }),
    ...(config !== undefined && { config }),
    ...(labels && { portLabels: Object.fromEntries(labels) as Record<string, string> }),
  };
}

/** Clients send "GPU" for "NVIDIA". */
function categoryOf(category: TemplateCategory): TemplateSpec["category"] {
  return category === "GPU" ? "NVIDIA" : category;
}

function immutableField(field: string, value: string | boolean): Fault {
  const detail = `"${field}" is ${value}, and can only be chosen when a template is made.`;
  return new Fault("invalid_body", { detail });
}
