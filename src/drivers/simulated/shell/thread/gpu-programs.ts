// nvidia-smi and rocm-smi, with the GPUs of the Pod.

import { amdSmi as amdAnswerOf } from "../../gpu/amd-programs.ts";
import { nvidiaSmi as answerOf } from "../../gpu/nvidia-smi-program.ts";
import { isAmd } from "../../gpu/simulated-gpus.ts";
import type { PodFacts } from "../messages.ts";
import { printed, type Result, refused } from "./programs.ts";

const missing = (program: string) => refused(`bash: ${program}: command not found`, 127);

export function nvidiaSmi(args: string[], { gpus: all }: PodFacts): Result {
  const hasNvidia = all.gpus.some((gpu) => !isAmd(gpu));
  return (hasNvidia ? answerOf(args, all) : null) ?? missing("nvidia-smi");
}

export function amdSmi(args: string[], { gpus: all }: PodFacts): Result {
  return (all.gpus.some(isAmd) ? amdAnswerOf(args, all) : null) ?? missing("amd-smi");
}

export function rocmSmi(args: string[], { gpus: all }: PodFacts): Result {
  const gpus = all.gpus.filter(isAmd);
  if (gpus.length === 0) return missing("rocm-smi");
  if (args.length > 0)
    return refused(`rocm-smi: a simulated Pod does not answer ${args.join(" ")}`, 127);
  const rows = gpus.map(({ index, name, usedMb, memoryMb, utilPercent }) => {
    const vram = memoryMb ? Math.round((100 * usedMb) / memoryMb) : 0;
    return `${index}       ${name.padEnd(28)} ${String(vram).padStart(4)}%  ${String(utilPercent).padStart(4)}%\n`;
  });
  return printed(`Device  Name                         VRAM%   GPU%\n${rows.join("")}`);
}
