// The projects that reservations are for.

import type { Project } from "../../domain/project/project.ts";
import type { Reservation } from "../../domain/reservation/reservation.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { listProjects } from "../../store/project/project.ts";

/** Adds its project to each reservation of an account; null for one that is for none. */
export function* withProjects(
  accountId: string,
  reservations: readonly Reservation[],
): Tx<(Reservation & { project: Project | null })[]> {
  const isForProject = reservations.some(({ projectId }) => projectId !== null);
  const all = isForProject ? yield* listProjects(accountId) : [];
  const projects = new Map(all.map((each) => [each.id, each]));
  return reservations.map((each) => {
    return { ...each, project: projects.get(each.projectId ?? "") ?? null };
  });
}
