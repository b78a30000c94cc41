// The GraphQL view of a Flash environment; its endpoints and volumes are resolved on demand.

import type { FlashEnvironment } from "../../../domain/flash/app.ts";

export function graphqlEnvironment({
  id,
  appId,
  name,
  createdAt,
  activeBuildId,
}: FlashEnvironment) {
  const state = activeBuildId === null ? "PENDING" : "ACTIVE";
  return { id, appId, name, createdAt, activeBuildId, state };
}

export type FlashEnvironmentParent = ReturnType<typeof graphqlEnvironment>;
