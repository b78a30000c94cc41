// The route of /v1/installation.

import type { FastifyInstance } from "fastify";
import { installationOperations } from "../../../contract/rest-v1/account/installation.ts";
import { readInstallation } from "../../../flows/installation/read.ts";
import type { RestDeps } from "../../management/deps.ts";
import { instant } from "../../management/serve/instant.ts";
import { serve } from "../../management/serve/serve.ts";

export function installationRoutes(app: FastifyInstance, deps: RestDeps): void {
  serve(app, installationOperations, {
    async getInstallation({ accountId }) {
      const { database, dataFolder, lastBackup } = await readInstallation(deps, accountId);
      const { isPartial, ...folder } = dataFolder;
      return {
        database,
        dataFolder: { ...folder, partial: isPartial },
        lastBackup: lastBackup && {
          file: lastBackup.file,
          bytes: lastBackup.bytes,
          createdAt: instant(lastBackup.at),
          present: lastBackup.isPresent,
        },
      };
    },
  });
}
