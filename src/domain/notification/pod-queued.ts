// The events for a Pod in line: it was created, or refused. Pure.

import { durationText } from "../duration.ts";
import { type AccountEvent, accountEvent, named } from "./event.ts";

interface InLine {
  id: string;
  name: string;
  queuedAt: number;
}

const resourceOf = ({ id, name }: InLine) => ({ type: "pod", id, name }) as const;

export function podLeftLine(pod: InLine, machineId: string, at: number): AccountEvent {
  return accountEvent({
    type: "pod_left_line",
    at,
    summary: `Pod ${named(pod.name, pod.id)} was created after it waited in line for ${durationText(at - pod.queuedAt)}.`,
    resource: resourceOf(pod),
    details: { queuedAt: new Date(pod.queuedAt).toISOString(), machineId },
  });
}

export function podRefused(pod: InLine, reason: string, at: number): AccountEvent {
  return accountEvent({
    type: "pod_refused",
    at,
    summary: `Pod ${named(pod.name, pod.id)} left the line without being created: ${reason.replace(/\.$/, "")}.`,
    resource: resourceOf(pod),
    details: { queuedAt: new Date(pod.queuedAt).toISOString(), reason },
  });
}
