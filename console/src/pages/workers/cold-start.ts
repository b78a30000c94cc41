// The parts of a worker's cold start and their labels.

import type { Schema } from "../../api/client.ts";

type Worker = Schema["Worker"];

export interface StartSpan {
  name: string;
  /** In ms since the epoch. */
  from: number;
  to: number;
}

const labels: Record<Worker["coldStart"][number]["part"], string> = {
  scheduling: "Scheduling",
  models: "Model download",
  image_pull: "Image pull",
  image_check: "Image check",
  container: "Container start",
  program: "Program start",
  import: "Import and load",
  first_poll: "First poll",
};

/** A part that lasts ends `now`. */
export function startSpansOf(worker: Worker, now: number): StartSpan[] {
  return worker.coldStart.map(({ part, startedAt, endedAt }) => {
    const from = Date.parse(startedAt);
    const name = labelOf(part, worker);
    return { name, from, to: endedAt ? Date.parse(endedAt) : Math.max(from, now) };
  });
}

function labelOf(part: keyof typeof labels, worker: Worker): string {
  if (part === "container") return containerLabel(worker);
  const importsInProgram =
    part === "program" && !worker.coldStart.some((each) => each.part === "import");
  return importsInProgram ? labels.import : labels[part];
}

/** The part holds what the driver does not tell apart. */
function containerLabel({ driver, coldStart }: Worker): string {
  if (driver === "process") return "Process start";
  const knowsImage = coldStart.some(({ part }) => part.startsWith("image_"));
  return knowsImage ? labels.container : "Image and container";
}
