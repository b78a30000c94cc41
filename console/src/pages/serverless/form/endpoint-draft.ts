// The values of the endpoint form, and the request bodies for them.

import type { Schema } from "../../../api/client.ts";
import { labelsBody, textOfLabels } from "../../../components/form/label-rows.ts";
import { HOUR_MS } from "../../../time-units.ts";
import { type RetryDraft, retryDraftOf, retryPolicyOf } from "./retry-draft.ts";

export interface Draft extends RetryDraft {
  name: string;
  /** One name=value per line. */
  labels: string;
  /** QB has a queue of jobs; LB forwards requests to the HTTP servers of its workers. */
  type: Schema["Endpoint"]["type"];
  /** Where the server of a new template listens, and the path of its health checks; of LB alone. */
  port: number;
  healthPath: string;
  /** Empty for a new template from `imageName`. */
  templateId: string;
  imageName: string;
  /** Words between spaces; empty for the CMD of the image. */
  command: string;
  computeType: "GPU" | "CPU";
  gpuTypeIds: string[];
  gpuCount: number;
  cpuFlavorId: string;
  vcpuCount: number;
  workersMin: number;
  workersMax: number;
  scalerType: string;
  scalerValue: number;
  idleTimeout: number;
  /** 0 for no limit. */
  executionTimeoutS: number;
  /** 0 for the default. */
  resultRetentionS: number;
  /** 0 for the default. */
  failureRetentionS: number;
  deadLetterRetentionH: number;
  networkVolumeIds: string[];
  /** References between spaces or commas. */
  models: string;
  dataCenterIds: string[];
  /** Empty for any. */
  minCudaVersion: string;
}

export const firstDraft: Draft = {
  name: "",
  labels: "",
  type: "QB",
  port: 8000,
  healthPath: "/ping",
  templateId: "",
  imageName: "",
  command: "",
  computeType: "GPU",
  gpuTypeIds: [],
  gpuCount: 1,
  cpuFlavorId: "",
  vcpuCount: 2,
  workersMin: 0,
  workersMax: 3,
  scalerType: "QUEUE_DELAY",
  scalerValue: 4,
  idleTimeout: 5,
  executionTimeoutS: 600,
  resultRetentionS: 0,
  failureRetentionS: 0,
  deadLetterRetentionH: 7 * 24,
  ...retryDraftOf(undefined),
  networkVolumeIds: [],
  models: "",
  dataCenterIds: [],
  minCudaVersion: "",
};

export function draftOf(endpoint: Schema["Endpoint"]): Draft {
  const [flavor = "", vcpus = "2"] = endpoint.instanceIds[0]?.split("-") ?? [];
  return {
    ...firstDraft,
    name: endpoint.name,
    labels: textOfLabels(endpoint),
    type: endpoint.type,
    templateId: endpoint.templateId,
    computeType: endpoint.computeType,
    gpuTypeIds: endpoint.gpuTypeIds,
    gpuCount: endpoint.gpuCount,
    cpuFlavorId: flavor,
    vcpuCount: Number(vcpus),
    workersMin: endpoint.workersMin,
    workersMax: endpoint.workersMax,
    scalerType: endpoint.scalerType,
    scalerValue: endpoint.scalerValue,
    idleTimeout: endpoint.idleTimeout,
    executionTimeoutS: Number(endpoint.executionTimeoutMs) / 1_000,
    resultRetentionS: Number(endpoint.resultRetentionMs) / 1_000,
    failureRetentionS: Number(endpoint.failureRetentionMs) / 1_000,
    deadLetterRetentionH: Number(endpoint.deadLetterRetentionMs) / HOUR_MS,
    ...retryDraftOf(endpoint.retryPolicy),
    networkVolumeIds: endpoint.networkVolumeIds,
    models: endpoint.modelReferences.map(shortModel).join(" "),
    dataCenterIds: endpoint.locations ? endpoint.locations.split(",") : [],
    minCudaVersion: endpoint.minCudaVersion ?? "",
  };
}

/** The reference without the hub's address and the branch main. */
export function shortModel(reference: string): string {
  return reference.replace(/^https:\/\/huggingface\.co\//, "").replace(/:main$/, "");
}

/** The draft's fields for body fields of another name. */
export const bodyFields = {
  executionTimeoutMs: "executionTimeoutS",
  resultRetentionMs: "resultRetentionS",
  failureRetentionMs: "failureRetentionS",
  deadLetterRetentionMs: "deadLetterRetentionH",
  cpuFlavorIds: "cpuFlavorId",
  modelReferences: "models",
} as const;

/** The body without the template, which may have to be created first. */
export function bodyOf(draft: Draft) {
  const onCpu = draft.computeType === "CPU";
  const { name, workersMin, workersMax, scalerType, scalerValue, idleTimeout } = draft;
  return {
    ...(name && { name }),
    ...labelsBody(draft.labels),
    workersMin,
    workersMax,
    scalerType: scalerType as Schema["Endpoint"]["scalerType"],
    scalerValue,
    idleTimeout,
    executionTimeoutMs: Math.round(draft.executionTimeoutS * 1_000),
    ...(draft.type === "QB" && jobSettingsOf(draft)),
    networkVolumeIds: draft.networkVolumeIds,
    modelReferences: draft.models.split(/[\s,]+/).filter(Boolean),
    dataCenterIds: draft.dataCenterIds,
    ...(onCpu
      ? { cpuFlavorIds: draft.cpuFlavorId ? [draft.cpuFlavorId] : [], vcpuCount: draft.vcpuCount }
      : {
          gpuTypeIds: draft.gpuTypeIds,
          gpuCount: draft.gpuCount,
          minCudaVersion: draft.minCudaVersion || null,
        }),
  };
}

const jobSettingsOf = (draft: Draft) => ({
  resultRetentionMs: Math.round(draft.resultRetentionS * 1_000),
  failureRetentionMs: Math.round(draft.failureRetentionS * 1_000),
  deadLetterRetentionMs: Math.round(draft.deadLetterRetentionH * HOUR_MS),
  retryPolicy: retryPolicyOf(draft),
});

export function templateBody(draft: Draft): Schema["TemplateCreateInput"] {
  const { name, imageName, command, type, port, healthPath } = draft;
  return {
    name: name || imageName,
    imageName,
    isServerless: true,
    ports: [],
    volumeInGb: 0,
    ...(type === "LB" && { env: { PORT: `${port}`, HEALTH_CHECK_PATH: healthPath } }),
    ...(command.trim() && { dockerStartCmd: command.trim().split(/\s+/) }),
  };
}

/** Only what differs: unchanged fields could create a release. */
export function changesBetween(was: Draft, now: Draft): Schema["EndpointUpdateInput"] {
  const before: Record<string, unknown> = {
    labels: {},
    ...bodyOf(was),
    templateId: was.templateId,
  };
  const after: Record<string, unknown> = { labels: {}, ...bodyOf(now), templateId: now.templateId };
  const changed = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
  );
  return Object.fromEntries(changed);
}
