// What a worker that is starting does at present, in a sentence without its subject.

import { spanText } from "../span.ts";
import type { StartInstants } from "../worker/cold-start.ts";
import type { WhyCode } from "./codes.ts";

export function startingReason(start: StartInstants, now: number): { code: WhyCode; text: string } {
  const { createdAt, launchedAt, pullingAt, imageAt, startedAt } = start;
  if (startedAt !== null) {
    const text = `was started ${spanText(now - startedAt)} ago and has not asked for a job yet`;
    return { code: "worker_starting", text };
  }
  if (pullingAt !== null && imageAt === null) {
    return {
      code: "image_pulling",
      text: `has been pulling its image for ${spanText(now - pullingAt)}`,
    };
  }
  const text =
    launchedAt === null
      ? `has been waiting to start for ${spanText(now - createdAt)}`
      : `has been starting its container for ${spanText(now - (imageAt ?? launchedAt))}`;
  return { code: "worker_starting", text };
}
