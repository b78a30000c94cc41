// What a worker that is starting does at present, in a sentence without its subject.

import { durationText } from "../duration.ts";
import type { StartInstants } from "../worker/cold-start.ts";
import type { WhyCode } from "./codes.ts";

export function startingReason(start: StartInstants, now: number): { code: WhyCode; text: string } {
  const { createdAt, launchedAt, pullingAt, imageAt, startedAt } = start;
  if (startedAt !== null) {
    const text = `was started ${durationText(now - startedAt)} ago and has not asked for a job yet`;
    return { code: "worker_starting", text };
  }
  if (pullingAt !== null && imageAt === null) {
    return {
      code: "image_pulling",
      text: `has been pulling its image for ${durationText(now - pullingAt)}`,
    };
  }
  const text =
    launchedAt === null
      ? `has been waiting to start for ${durationText(now - createdAt)}`
      : `has been starting its container for ${durationText(now - (imageAt ?? launchedAt))}`;
  return { code: "worker_starting", text };
}
