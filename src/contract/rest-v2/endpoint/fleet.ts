// The workers, the releases and the builds of an endpoint.

import Type, { type Static } from "typebox";
import { instant } from "../../fields.ts";
import { pagination } from "../fields.ts";

const nullable = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

const worker = Type.Object(
  {
    id: Type.String(),
    status: Type.Enum(["RUNNING", "IDLE", "INITIALIZING", "THROTTLED", "UNHEALTHY"]),
    isStale: Type.Boolean({ description: "Whether it runs an older release." }),
    version: nullable(Type.Integer()),
    gpuCount: Type.Integer(),
    image: nullable(Type.String()),
    uptimeSeconds: nullable(Type.Integer()),
    gpuTypeId: nullable(Type.String()),
    dataCenterId: nullable(Type.String()),
    startedAt: nullable(instant),
  },
  { title: "Worker" },
);
export type Worker = Static<typeof worker>;

export const workerList = Type.Object(
  {
    workers: Type.Array(worker),
    summary: Type.Object(
      {
        running: Type.Integer(),
        idle: Type.Integer(),
        initializing: Type.Integer(),
        throttled: Type.Integer(),
        unhealthy: Type.Integer(),
        total: Type.Integer(),
      },
      { title: "WorkerSummary" },
    ),
    endpointVersion: Type.Integer(),
  },
  { title: "WorkerList" },
);

const release = Type.Object(
  {
    id: Type.String(),
    version: Type.Integer(),
    source: Type.Enum(["GIT_BUILD", "MANUAL"]),
    buildId: Type.Null(),
    createdByUserId: Type.Null(),
    workerCount: Type.Integer(),
    createdAt: instant,
    diff: Type.Array(
      Type.Object({ field: Type.String(), old: Type.Unknown(), new: Type.Unknown() }),
      { description: "What differs from the release before." },
    ),
  },
  { title: "Release" },
);
export type Release = Static<typeof release>;

export const releasePage = Type.Object(
  {
    releases: Type.Array(release),
    rollout: Type.Object(
      {
        inProgress: Type.Boolean(),
        workersOnLatest: Type.Integer(),
        workersTotal: Type.Integer(),
        percentOnLatest: Type.Integer(),
      },
      { title: "RolloutSummary" },
    ),
    endpointVersion: Type.Integer(),
    pagination,
  },
  { title: "ReleasePage" },
);

/** Images are not built here. */
export const build = Type.Object(
  { id: Type.String(), status: Type.String() },
  { title: "Build", description: "Images are not built here, so there is none." },
);
export const buildPage = Type.Object(
  { builds: Type.Array(build), pagination },
  { title: "BuildPage" },
);
