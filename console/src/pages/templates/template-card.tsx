// A template in the gallery: what it runs, what it needs, and Deploy.

import { Link } from "@tanstack/react-router";
import {
  AudioLines,
  Bot,
  Boxes,
  CodeXml,
  Database,
  Flame,
  Image,
  type LucideIcon,
  MessageSquare,
  Terminal,
  Workflow,
  Zap,
} from "lucide-react";
import type { ReactNode } from "react";
import { useCanWrite } from "../../api/session.ts";
import { Button } from "../../components/control/button.tsx";
import { IdLine } from "../../components/data/name-cell.tsx";
import { labelTexts } from "../../components/format/labels.ts";
import { paths } from "../../paths.ts";
import type { Template } from "./templates.tsx";

/** Icons by the id of an official template. */
const icons: Record<string, LucideIcon> = {
  "code-server": CodeXml,
  comfyui: Workflow,
  ollama: MessageSquare,
  postgres: Database,
  pytorch: Flame,
  "stable-diffusion": Image,
  ubuntu: Terminal,
  vllm: Bot,
  "vllm-load-balanced": Bot,
  whisper: AudioLines,
};

interface Props {
  template: Template;
  /** Deploys a model with the template. */
  onDeployModel: () => void;
  /** Beside its name. */
  menu?: ReactNode;
}

export function TemplateCard({ template, onDeployModel, menu }: Props) {
  const { id, name, imageName, isServerless, createdBy } = template;
  const labels = labelTexts(template);
  const Icon = icons[id] ?? (isServerless ? Zap : Boxes);
  const mayWrite = useCanWrite();
  return (
    <li className="flex min-w-0 flex-col rounded-card border border-line bg-surface p-4">
      <div className="flex items-start gap-3">
        <span className="rounded-control bg-accent-soft p-2 text-accent-strong">
          <Icon aria-hidden className="size-5" />
        </span>
        <div className="min-w-0 flex-1">
          <h3 className="truncate leading-[24px] font-medium" title={name}>
            {name}
          </h3>
          <IdLine id={id} />
        </div>
        {menu}
      </div>
      <p className="mt-3 flex-1 text-sm">{descriptionOf(template)}</p>
      <p className="mt-3 truncate text-xs text-muted" title={imageName}>
        <code>{imageName}</code>
        {createdBy && ` · ${createdBy.name}`}
      </p>
      {labels.length > 0 && (
        <p className="mt-1 truncate text-xs text-muted" title={labels.join(", ")}>
          {labels.join(", ")}
        </p>
      )}
      <div className="mt-2 flex items-center justify-between gap-3">
        <p className="min-w-0 text-sm text-muted">{needsOf(template)}</p>
        {mayWrite && <Deploy template={template} onDeployModel={onDeployModel} />}
      </div>
    </li>
  );
}

function Deploy({ template, onDeployModel }: Omit<Props, "menu">) {
  const { id, name, isServerless, env } = template;
  const label = `Deploy ${name}`;
  if (isServerless && env.MODEL_NAME !== undefined) {
    return (
      <Button small aria-label={label} onClick={onDeployModel}>
        Deploy
      </Button>
    );
  }
  return (
    <Button small asChild>
      <Link
        to={isServerless ? paths.newEndpoint : paths.deployPod}
        search={{ template: id }}
        aria-label={label}
      >
        Deploy
      </Link>
    </Button>
  );
}

/** The first sentence of its readme, in Markdown. */
function descriptionOf({ readme, isServerless }: Template): string {
  const text = readme.replace(/[`*#]/g, "").replace(/\s+/g, " ").trim();
  const sentence = /^.+?[.:](?=\s|$)/.exec(text)?.[0] ?? text;
  return sentence.replace(/:$/, ".") || (isServerless ? "For endpoints." : "For Pods.");
}

/** The category of an own template is only a default. */
function needsOf({ category, minGpuMemoryInGb, isRunpod, isServerless }: Template): string {
  const kind = isServerless ? "Endpoint" : "Pod";
  if (minGpuMemoryInGb !== undefined) return `${kind}, GPU with ${minGpuMemoryInGb} GB or more`;
  if (!isRunpod) return kind;
  return `${kind}, ${category === "CPU" ? "CPU" : "any GPU"}`;
}
