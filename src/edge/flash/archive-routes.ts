// The routes that take and return the archives of Flash builds. Their URLs are signed, so they need no key; a
// body goes to disk as it arrives.

import type { FastifyInstance, FastifyRequest } from "fastify";
import { ID_PATTERN } from "../../base/ids.ts";
import { Fault } from "../../domain/fault.ts";
import { type DownloadDeps, openFlashDownload } from "../../flows/flash-app/download.ts";
import { type FlashUploadDeps, receiveFlashUpload } from "../../flows/flash-app/upload.ts";

type Deps = Pick<FlashUploadDeps, "store"> & DownloadDeps;

export function flashArchiveRoutes(deps: Deps) {
  return async (app: FastifyInstance): Promise<void> => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", (_request, _payload, done) => done(null));
    const config = { needs: "nothing" as const };
    app.put("/flash/uploads/:flashBuildId", { config }, async (request, reply) => {
      const permit = permitOf(request);
      const declared = request.headers["content-length"];
      const body = Object.assign(request.raw, {
        declared: declared === undefined ? null : Number(declared),
      });
      await receiveFlashUpload(deps, permit, body);
      return reply.code(200).send();
    });
    app.get("/flash/downloads/:flashBuildId", { config }, async (request, reply) => {
      const { size: _, ...permit } = permitOf(request);
      const { size, content } = await openFlashDownload(deps, permit);
      return reply.type("application/gzip").header("content-length", size).send(content);
    });
  };
}

function permitOf({ params, query }: FastifyRequest) {
  const { flashBuildId: buildId } = params as { flashBuildId: string };
  if (!ID_PATTERN.test(buildId)) {
    throw new Fault("invalid_id", { noun: "Flash build", id: buildId.slice(0, 80) });
  }
  const { size, expires, signature } = query as Record<string, unknown>;
  return {
    buildId,
    size: Number(size),
    expiresAt: Number(expires),
    signature: typeof signature === "string" ? signature : "",
  };
}
