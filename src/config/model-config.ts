// The settings of the model cache.

import path from "node:path";
import type { Given } from "./settings.ts";

const HUB = "https://huggingface.co";
const USUAL_GB = 200;

export type ModelSourceSetting = { hub: string } | { folder: string };

interface ModelConfig {
  modelSource: ModelSourceSetting | null;
  modelCacheBytes: number;
}

export function readModels(setting: Given, cwd: string, errors: string[]): ModelConfig {
  return {
    modelSource: readSource(setting("modelSource") ?? HUB, cwd, errors),
    modelCacheBytes: readLimit(setting("modelCache"), errors),
  };
}

function readSource(text: string, cwd: string, errors: string[]): ModelSourceSetting | null {
  if (text === "off") return null;
  if (!text.includes("://")) return { folder: path.resolve(cwd, text) };
  if (!/^https?:\/\/[^/?#@]+(?:\/[^?#]*)?$/.test(text)) {
    errors.push(
      `FREEHOLD_MODEL_SOURCE is "${text}"; it takes the address of a hub, such as ${HUB}, a folder, or off`,
    );
  }
  return { hub: text.replace(/\/+$/, "") };
}

function readLimit(text: string | null, errors: string[]): number {
  if (text !== null && !/^\d{1,6}(\.\d{1,6})?$/.test(text)) {
    errors.push(`FREEHOLD_MODEL_CACHE is "${text}"; it takes a number of GB such as 200`);
  }
  return Math.round(Number(text ?? USUAL_GB) * 1e9);
}
