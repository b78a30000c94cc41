// The route of /v1/installation.

import type { FastifyInstance } from "fastify";
import { installationOperations } from "../../../contract/rest-v1/account/installation.ts";
import type { FlowDeps } from "../../../flows/flow-deps.ts";
import { type Installation, readInstallation } from "../../../flows/installation/read.ts";
import { instant } from "../../management/serve/instant.ts";
import { serveOperations } from "../../management/serve/serve.ts";

interface Deps extends FlowDeps {
  installation: () => Promise<Installation>;
}

export function installationRoutes(app: FastifyInstance, deps: Deps): void {
  serveOperations(app, installationOperations, {
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
