// The download that a starting worker waits for. Pure.

import type { MachineModel } from "../machine/inventory.ts";

export interface ModelLoading {
  /** owner/name */
  model: string;
  /** 0 until its size is known. */
  bytes: number;
  downloadedBytes: number;
}

/** Null if no model of the worker is being downloaded. */
export function loadingOf(
  pinned: readonly Pick<MachineModel, "model" | "commit">[],
  onMachine: readonly MachineModel[],
): ModelLoading | null {
  const own = onMachine.filter(({ model, commit, bytes, downloadedBytes }) => {
    const isPinned = pinned.some((each) => each.model === model && each.commit === commit);
    return isPinned && (bytes === 0 || downloadedBytes < bytes);
  });
  const [first] = own.toSorted((a, b) => b.bytes - a.bytes);
  if (!first) return null;
  const { model, bytes, downloadedBytes } = first;
  return { model, bytes, downloadedBytes };
}

/** "is downloading the model o/n: 43% of 12.3 GB" */
export function loadingText({ model, ...progress }: ModelLoading): string {
  return `is downloading the model ${model}: ${progressText(progress)}`;
}

/** "43% of 12.3 GB" */
export function progressText({ bytes, downloadedBytes }: Omit<ModelLoading, "model">): string {
  return `${percentOf({ bytes, downloadedBytes })}% of ${sizeText(bytes)}`;
}

/** 100 only once everything is there. */
export function percentOf({ bytes, downloadedBytes }: Omit<ModelLoading, "model">): number {
  return bytes === 0 ? 0 : Math.floor((downloadedBytes / bytes) * 100);
}

export function sizeText(bytes: number): string {
  if (bytes >= 1e8) return `${(bytes / 1e9).toFixed(1)} GB`;
  return bytes >= 1e5 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.ceil(bytes / 1e3)} kB`;
}
