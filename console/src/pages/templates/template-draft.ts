// The values of the template form, and the request body for them.

import { labelsBody, textOfLabels } from "../../components/form/label-rows.ts";
import {
  parseNumber,
  parseVariables,
  splitList,
  splitWords,
} from "../../components/form/text-values.ts";
import type { Template } from "./templates.tsx";

export interface TemplateDraft {
  name: string;
  /** One name=value per line. */
  labels: string;
  imageName: string;
  entrypoint: string;
  command: string;
  ports: string;
  volumeMountPath: string;
  containerDiskInGb: string;
  volumeInGb: string;
  /** One NAME=value per line. */
  env: string;
  containerRegistryAuthId: string;
  isServerless: boolean;
  isPublic: boolean;
  /** Minutes; empty for none. */
  idleMinutes: string;
  /** Minutes; empty for none. */
  maxMinutes: string;
}

export function templateDraft(template: Template | null): TemplateDraft {
  return {
    name: template?.name ?? "",
    labels: textOfLabels(template ?? {}),
    imageName: template?.imageName ?? "",
    entrypoint: template?.dockerEntrypoint.map(quoteWord).join(" ") ?? "",
    command: template?.dockerStartCmd.map(quoteWord).join(" ") ?? "",
    ports: (template?.ports ?? ["8888/http", "22/tcp"]).join(", "),
    volumeMountPath: template?.volumeMountPath ?? "/workspace",
    containerDiskInGb: String(template?.containerDiskInGb ?? 50),
    volumeInGb: String(template?.volumeInGb ?? 20),
    env: Object.entries(template?.env ?? {})
      .map(([name, value]) => `${name}=${value}`)
      .join("\n"),
    containerRegistryAuthId: template?.containerRegistryAuthId ?? "",
    isServerless: template?.isServerless ?? false,
    isPublic: template?.isPublic ?? false,
    maxMinutes: template?.maxLifetime ? String(template.maxLifetime.minutes) : "",
    idleMinutes: template?.stopWhenIdle ? String(template.stopWhenIdle.minutes) : "",
  };
}

/** The draft's fields for body fields of another name. */
export const bodyFields = {
  dockerEntrypoint: "entrypoint",
  dockerStartCmd: "command",
  stopWhenIdle: "idleMinutes",
  maxLifetime: "maxMinutes",
} as const;

/** The limits of the present rule stay. */
export function templateBodyOf(draft: TemplateDraft, before: Template | null) {
  const { name, imageName, volumeMountPath, containerRegistryAuthId, isPublic } = draft;
  return {
    name,
    ...labelsBody(draft.labels, textOfLabels(before ?? {})),
    imageName,
    volumeMountPath,
    containerRegistryAuthId,
    isPublic,
    dockerEntrypoint: splitWords(draft.entrypoint),
    dockerStartCmd: splitWords(draft.command),
    ports: splitList(draft.ports),
    containerDiskInGb: parseNumber(draft.containerDiskInGb),
    volumeInGb: parseNumber(draft.volumeInGb),
    env: parseVariables(draft.env),
    maxLifetime:
      draft.maxMinutes === ""
        ? null
        : { ...before?.maxLifetime, minutes: Number(draft.maxMinutes) },
    stopWhenIdle:
      draft.idleMinutes === ""
        ? null
        : { ...before?.stopWhenIdle, minutes: Number(draft.idleMinutes) },
  };
}

function quoteWord(word: string): string {
  if (word !== "" && !/[\s"'\\]/.test(word)) return word;
  return `"${word.replace(/["\\]/g, "\\$&")}"`;
}
