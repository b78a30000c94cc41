// The parts of a worker's cold start, from the instants that are stored of it. Pure.

/** The steps of a start, in their order, as its machine and its driver report them. */
export type StartStep = "launched" | "models_ready" | "image_pulling" | "image_ready";

/** An instant is null while its step has not come, or if the driver does not know it. */
export interface StartInstants {
  createdAt: number;
  /** When its machine began to start it. */
  launchedAt: number | null;
  /** When its models were on the machine; null for a worker without models. */
  modelsAt: number | null;
  /** When its engine began to pull the image; null if the image was there. */
  pullingAt: number | null;
  /** When its engine had the image. */
  imageAt: number | null;
  /** When its container or process ran. */
  startedAt: number | null;
  /** When its process began, and when that had loaded the module of its handler; null unless the worker says so. */
  processAt: number | null;
  loadedAt: number | null;
  /** When it first called or, for a load-balancing endpoint, answered its health check. */
  readyAt: number | null;
}

export type StartPart =
  | "scheduling"
  | "models"
  | "image_pull"
  | "image_check"
  | "container"
  | "program"
  | "import"
  | "first_poll";

export interface ColdStartPart {
  part: StartPart;
  from: number;
  /** Null while it lasts. */
  to: number | null;
}

/**
 * Each part begins where the one before it ends, so that an unknown instant makes the next part longer. `endedAt`
 * ends the last part of a worker that ended before it was ready; `isLoading` says that it waits for a model.
 */
export function coldStartParts(
  start: StartInstants,
  { endedAt = null, isLoading = false }: { endedAt?: number | null; isLoading?: boolean } = {},
): ColdStartPart[] {
  const parts: ColdStartPart[] = [];
  let from = start.createdAt;
  for (const [part, at] of boundariesOf(start)) {
    parts.push({ part, from, to: Math.max(from, at) });
    from = Math.max(from, at);
  }
  if (start.readyAt === null) parts.push({ part: openPart(start, isLoading), from, to: endedAt });
  return parts;
}

/** A later instant is never before an earlier one: a call may be recorded before the start is observed. */
function boundariesOf(start: StartInstants): [StartPart, number][] {
  const known = (
    [
      ["scheduling", start.launchedAt],
      ["models", start.modelsAt],
      [imagePart(start), start.imageAt],
      ["container", start.startedAt],
      ["program", processAfterStart(start)],
      ["import", start.loadedAt],
      [start.loadedAt === null ? "program" : "first_poll", start.readyAt],
    ] as [StartPart, number | null][]
  ).filter((each): each is [StartPart, number] => each[1] !== null);
  return known.map(([part, at], n) => [
    part,
    Math.min(at, ...known.slice(n).map((each) => each[1])),
  ]);
}

/** A process that the container starts at once leaves no time for what comes before it. */
const processAfterStart = ({ startedAt, processAt }: StartInstants) =>
  startedAt !== null && processAt !== null && processAt > startedAt ? processAt : null;

const imagePart = ({ pullingAt }: StartInstants): StartPart =>
  pullingAt === null ? "image_check" : "image_pull";

function openPart(start: StartInstants, isLoading: boolean): StartPart {
  const { launchedAt, pullingAt, imageAt, startedAt } = start;
  if (startedAt !== null) return "program";
  if (launchedAt === null) return "scheduling";
  if (isLoading) return "models";
  return imageAt === null && pullingAt !== null ? "image_pull" : "container";
}
