// Reservations as the page shows them: for whom they are, when, and what the session may do with them.

import { api, type Schema } from "../../api/client.ts";
import { seesOwnOnly, useCanView, useCanWrite, useSession } from "../../api/session.ts";
import { formatDate, formatDateTime, formatTime } from "../../components/format/time.ts";

export type Reservation = Schema["Reservation"];

/** The largest page of the service. More than an account has that have not ended, so that no page follows. */
export const PAGE_LIMIT = 1_000;

/** The faults that say that fewer GPUs would do. */
export const gpuCountFaults = {
  reservation_full: "gpuCount",
  reservation_share: "gpuCount",
  guarantee_full: "gpuCount",
  quota_exceeded: "gpuCount",
} as const;

/** The caller: a member with its projects, or the account itself. */
export interface Viewer {
  memberId: string | undefined;
  projectIds: ReadonlySet<string>;
}

export function useViewer(): Viewer {
  const { memberId } = useSession();
  const { data: projects = [] } = api.useQuery("get", "/v1/projects");
  const own = projects.filter(({ members }) => members.some(({ id }) => id === memberId));
  return { memberId, projectIds: new Set(own.map(({ id }) => id)) };
}

/** Whether the caller may use what it keeps. */
export function isOwn({ project, createdBy }: Reservation, viewer: Viewer): boolean {
  if (project) return viewer.projectIds.has(project.id);
  return !createdBy || createdBy.id === viewer.memberId;
}

/** "you", "Ada", "project vision", "your project vision" or "the account" */
export function holderOf({ project, createdBy }: Reservation, viewer: Viewer): string {
  if (project) {
    return viewer.projectIds.has(project.id)
      ? `your project ${project.name}`
      : `project ${project.name}`;
  }
  if (!createdBy) return "the account";
  return createdBy.id === viewer.memberId ? "you" : createdBy.name;
}

/** "2026-11-30 09:00 to 12:00", with the second date if it is another */
export function timesOf({ from, until }: Pick<Reservation, "from" | "until">): string {
  const end = formatDate(from) === formatDate(until) ? formatTime(until) : formatDateTime(until);
  return `${formatDateTime(from)} to ${end}`;
}

export function useCanReserve(): boolean {
  const mayWrite = useCanWrite();
  return useCanView("resources") && mayWrite;
}

/** Whether the caller may cancel a reservation. */
export function useCanCancel(): (reservation: Reservation) => boolean {
  const session = useSession();
  const mayReserve = useCanReserve();
  return ({ createdBy }) =>
    mayReserve && (!seesOwnOnly(session) || createdBy?.id === session.memberId);
}

/** How many GPUs of each type the machines that are online have; real ones come first. */
export function useOfferedGpus(): Map<string, { count: number; virtual: boolean }> {
  const { data: machines = [] } = api.useQuery("get", "/v1/machines");
  const offered = new Map<string, { count: number; virtual: boolean }>();
  const all = machines.flatMap(({ online, gpus }) => (online ? gpus : []));
  for (const { gpuTypeId, count, virtual } of all.toSorted(realFirst)) {
    const before = offered.get(gpuTypeId);
    offered.set(gpuTypeId, {
      count: (before?.count ?? 0) + count,
      virtual: (before?.virtual ?? true) && virtual,
    });
  }
  return offered;
}

const realFirst = (a: { virtual: boolean }, b: { virtual: boolean }) =>
  Number(a.virtual) - Number(b.virtual);
