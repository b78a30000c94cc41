// A template between REST v2 and the domain.

import { containerRequestFields } from "../../../contract/rest-v2/container.ts";
import {
  type Template,
  type TemplateCreate,
  type TemplatePatch,
  template as templateSchema,
} from "../../../contract/rest-v2/template/template.ts";
import type { TemplateChanges } from "../../../domain/template/change.ts";
import {
  type Template as DomainTemplate,
  defaultTemplate,
} from "../../../domain/template/template.ts";
import type { NewTemplate } from "../../../flows/template/create.ts";
import { labelsRead } from "../../management/serve/labels.ts";
import { shownFields, takeFields } from "../../management/serve/take-fields.ts";
import { containerRead, containerSettings } from "../container.ts";

const templateDefaults = defaultTemplate("");

/** REST v2 opens no port and makes no volume unless it is asked to. */
const defaults = { ports: [], volumeInGb: 0, startSsh: true, startJupyter: true };

export function newTemplateSettings({ name, labels, ...body }: TemplateCreate): NewTemplate {
  const settings = { ...defaults, ...settingsIn(body), imageName: body.image };
  return { name, ...(labels && { labels }), settings };
}

export function templateChanges({ name, labels, ...body }: TemplatePatch): TemplateChanges {
  return { ...(name !== undefined && { name }), ...(labels && { labels }), ...settingsIn(body) };
}

type Settings = Omit<TemplatePatch & Omit<TemplateCreate, keyof TemplatePatch>, "name" | "labels">;

function settingsIn(body: Settings): Omit<TemplateChanges, "name" | "labels"> {
  const { mounts, serverless, public: isPublic, ...others } = body;
  const [container, plain] = takeFields(others, containerRequestFields);
  const [settings, rest] = takeFields(plain, templateDefaults);
  rest satisfies Record<string, never>;
  const persistent = mounts?.persistent;
  return {
    ...containerSettings(container),
    ...(persistent && { volumeInGb: persistent.size, volumeMountPath: persistent.path }),
    ...(serverless !== undefined && { isServerless: serverless }),
    ...(isPublic !== undefined && { isPublic }),
    ...settings,
  };
}

/** Another account's template does not show its registry. */
export function templateRead(readerId: string, template: DomainTemplate): Template {
  const { id, name, accountId, spec } = template;
  const { volumeInGb, volumeMountPath, isServerless, isPublic } = spec;
  const container = containerRead(spec);
  return {
    id,
    name,
    ...labelsRead(template),
    ...container,
    registry: accountId === readerId ? container.registry : null,
    mounts: volumeInGb > 0 ? { persistent: { size: volumeInGb, path: volumeMountPath } } : {},
    serverless: isServerless,
    public: isPublic,
    ...shownFields(spec, templateSchema.properties),
    ...(template.owner && { createdBy: template.owner }),
  };
}
