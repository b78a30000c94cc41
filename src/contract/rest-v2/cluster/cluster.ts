// Schemas of clusters over REST v2.

import Type, { type Static } from "typebox";
import { createdBy, instant, labels, wholeNumber } from "../../fields.ts";
import { containerRequest } from "../container.ts";
import { closed, name } from "../fields.ts";
import { pod } from "../pod/pod.ts";
import { flag, mounts } from "../pod/pod-write.ts";

const type = Type.Enum(["APPLICATION", "TRAINING", "SLURM", "RAY"], {
  description: "SLURM and RAY are not offered.",
});

const compute = closed(
  {
    gpuTypeId: Type.String({ minLength: 1, description: "The GPU type." }),
    gpuCountPerPod: wholeNumber(1),
    podCount: Type.Integer({ minimum: 2, maximum: 250 }),
  },
  { title: "ClusterCompute", description: "The GPUs of each Pod, and the number of Pods." },
);

const { registry: _, ...container } = containerRequest;

export const clusterCreate = closed(
  {
    name,
    type,
    compute,
    ...container,
    labels: Type.Optional(labels),
    dataCenterIds: Type.Optional(
      Type.Array(Type.String(), { description: "Allowed data centers; empty for any." }),
    ),
    mounts: Type.Optional(mounts),
    startSsh: flag("Start the image's SSH server."),
    startJupyter: flag("Start the image's Jupyter."),
    templateId: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          "A template in place of image, args, entrypoint, cmd, disk, env, ports and mounts; private " +
          "images need one.",
      }),
    ),
  },
  { title: "ClusterCreate" },
);
export type ClusterCreate = Static<typeof clusterCreate>;

export const clusterPatch = closed(
  { name: Type.Optional(name), labels: Type.Optional(labels) },
  { title: "ClusterPatch" },
);

export const cluster = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    type,
    compute,
    template: Type.Optional(Type.String()),
    dataCenterId: Type.Optional(Type.String()),
    pods: Type.Object(
      {
        total: Type.Integer(),
        byStatus: Type.Record(Type.String(), Type.Integer()),
      },
      { title: "ClusterPods" },
    ),
    network: Type.Optional(
      Type.Object(
        { cidr: Type.String() },
        {
          title: "ClusterNetwork",
          description: "Absent where members use the networks of their machines.",
        },
      ),
    ),
    primary: Type.Optional(
      Type.Object(
        {
          podId: Type.String(),
          status: pod.properties.status,
          sshEndpoint: Type.Optional(Type.String({ description: "root@host:port" })),
        },
        { title: "ClusterPrimary", description: "The member of rank 0." },
      ),
    ),
    labels: Type.Optional({ ...labels, description: "Absent without any." }),
    createdAt: instant,
    createdBy: Type.Optional(createdBy),
  },
  { title: "Cluster" },
);
export type Cluster = Static<typeof cluster>;
