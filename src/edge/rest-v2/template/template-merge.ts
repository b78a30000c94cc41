// The settings of a container merged with a template: fields of the body replace the template's, and
// variables are merged by name.

import type { ContainerRequest } from "../../../contract/rest-v2/container.ts";
import type { Template, TemplateSpec } from "../../../domain/template/template.ts";
import type { PodDeps } from "../../../flows/pod/create.ts";
import { ANY_TEMPLATE, readableTemplate } from "../../../flows/template/find.ts";
import { type ContainerFields, containerSettings } from "../container.ts";
import { invalidFields } from "../serve/invalid-fields.ts";

type Settings = Partial<ContainerFields & { containerRegistryAuthId: string }>;

export function mergedWithTemplate(
  body: ContainerRequest,
  template: TemplateSpec | null,
): Settings {
  const settings = containerSettings(body);
  if (template === null) return settings;
  const { imageName, dockerEntrypoint, dockerStartCmd, containerDiskInGb, ports } = template;
  const { containerRegistryAuthId } = template;
  const container = { imageName, dockerEntrypoint, dockerStartCmd, containerDiskInGb, ports };
  return {
    ...container,
    containerRegistryAuthId,
    ...settings,
    env: { ...template.env, ...settings.env },
  };
}

/** The template that a body names; null if it names none. Throws if it is unknown or of the other kind. */
export async function templateNamed(
  deps: Pick<PodDeps, "store" | "officialTemplates">,
  accountId: string,
  templateId: string | undefined,
  { serverless }: { serverless: boolean },
): Promise<Template | null> {
  if (templateId === undefined) return null;
  const template = await readableTemplate(deps, accountId, templateId, ANY_TEMPLATE);
  if (template.spec.isServerless !== serverless) {
    const [wanted, actual] = serverless ? ["endpoints", "Pods"] : ["Pods", "endpoints"];
    const complaint = `must be a template for ${wanted}; ${templateId} is for ${actual}`;
    throw invalidFields([{ path: "templateId", complaint }]);
  }
  // Another account's public template does not lend its registry.
  if (template.accountId === accountId) return template;
  return { ...template, spec: { ...template.spec, containerRegistryAuthId: "" } };
}
