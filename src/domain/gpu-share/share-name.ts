// The names of the GPU types of shares, which say what part of which GPU they are. Pure.

import type { ShareLayout } from "./gpu-share.ts";

const FORM = /^(.+) (shared|MPS) 1\/(\d{1,2}) (\d+)GB$/;

/** "shared 1/4 20GB", or "MPS 1/4 20GB" */
const shareName = ({ count, memoryInGb, mps }: ShareLayout) =>
  `${mps ? "MPS" : "shared"} 1/${count} ${memoryInGb}GB`;

/** "NVIDIA A100-SXM4-80GB shared 1/4 20GB" */
export const shareTypeId = (whole: string, layout: ShareLayout) => `${whole} ${shareName(layout)}`;

/** GPUs of a type as parts of whole ones: four of "shared 1/4 20GB" are one GPU. */
export const wholeGpus = (gpuTypeId: string | null, count: number): number =>
  count / (parseShareType(gpuTypeId ?? "")?.count ?? 1);

/** Null for another name. */
export function parseShareType(id: string): (ShareLayout & { whole: string }) | null {
  const [, whole, kind, count, memory] = FORM.exec(id) ?? [];
  if (whole === undefined) return null;
  const layout = { count: Number(count), memoryInGb: Number(memory) };
  return { whole, ...layout, ...(kind === "MPS" && { mps: true as const }) };
}
