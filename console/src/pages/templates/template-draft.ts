// A template as it is being filled in, all of it texts, and the body that is sent for it.

import type { Template } from "./templates.tsx";

export interface TemplateDraft {
  name: string;
  imageName: string;
  entrypoint: string;
  command: string;
  ports: string;
  volumeMountPath: string;
  containerDiskInGb: string;
  volumeInGb: string;
  /** NAME=value, a line each. */
  env: string;
  containerRegistryAuthId: string;
  isServerless: boolean;
  isPublic: boolean;
}

export function templateDraft(template: Template | null): TemplateDraft {
  return {
    name: template?.name ?? "",
    imageName: template?.imageName ?? "",
    entrypoint: template?.dockerEntrypoint.map(asWord).join(" ") ?? "",
    command: template?.dockerStartCmd.map(asWord).join(" ") ?? "",
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
  };
}

export function templateBodyOf(draft: TemplateDraft) {
  const { name, imageName, volumeMountPath, containerRegistryAuthId, isPublic } = draft;
  return {
    name,
    imageName,
    volumeMountPath,
    containerRegistryAuthId,
    isPublic,
    dockerEntrypoint: wordsOf(draft.entrypoint),
    dockerStartCmd: wordsOf(draft.command),
    ports: draft.ports.split(/[\s,]+/).filter(Boolean),
    containerDiskInGb: Number(draft.containerDiskInGb),
    volumeInGb: Number(draft.volumeInGb),
    env: envOf(draft.env),
  };
}

/** As a shell reads them, quotes and all, but without its variables. */
export function wordsOf(text: string): string[] {
  const words = text.matchAll(/(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([^\s"']+))/g);
  return [...words].map(([, double, single, plain]) =>
    double !== undefined ? double.replace(/\\(.)/g, "$1") : (single ?? plain ?? ""),
  );
}

function asWord(word: string): string {
  if (word !== "" && !/[\s"'\\]/.test(word)) return word;
  return `"${word.replace(/["\\]/g, "\\$&")}"`;
}

function envOf(text: string): Record<string, string> {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf("=");
      return at < 0 ? [line.trim(), ""] : [line.slice(0, at).trim(), line.slice(at + 1)];
    }),
  );
}
