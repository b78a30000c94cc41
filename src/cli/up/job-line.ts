// An ended job as one line for people.

import { durationText } from "../../domain/duration.ts";
import { errorText } from "../../domain/job/error-text.ts";
import type { EndedJobSummary } from "../../store/job/list/ended.ts";
import { coloredState, cut, plainText } from "../output/table.ts";

const NAME_WIDTH = 16;
const STATE_WIDTH = "COMPLETED".length;
const GAP = "  ";

/** A line no longer than the terminal's width. */
export function jobLine(job: EndedJobSummary, terminal: NodeJS.WriteStream): string {
  const { id, endpointName, state, finishedAt } = job;
  const name = cut(plainText(endpointName), NAME_WIDTH).padEnd(NAME_WIDTH);
  const start = [localTime(finishedAt), name, id].join(GAP);
  const rest = [...durations(job), ...firstLine(job.error)].join(GAP);
  const free = (terminal.columns || 80) - start.length - STATE_WIDTH - 2 * GAP.length;
  const padding = " ".repeat(STATE_WIDTH - state.length);
  // The end of a narrow line wraps rather than disappears.
  const end = free > 0 ? cut(rest, free) : rest;
  return [start, coloredState(state, terminal) + padding, end].join(GAP);
}

function durations({ queuedAt, takenAt, finishedAt }: EndedJobSummary): string[] {
  const waited = `waited ${durationText((takenAt ?? finishedAt) - queuedAt)}`;
  return takenAt === null ? [waited] : [waited, `ran ${durationText(finishedAt - takenAt)}`];
}

function firstLine(error: string | null): string[] {
  const line = error === null ? "" : errorText(error).trim().split(/\r?\n/, 1)[0]!;
  return line === "" ? [] : [plainText(line)];
}

/** 24 hours, in the zone of this machine. */
function localTime(at: number): string {
  return new Date(at).toLocaleTimeString("en-GB");
}
