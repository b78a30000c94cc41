// A Pod in responses of REST v2.

import Type, { type Static } from "typebox";
import { createdBy, instant } from "../../fields.ts";
import { podV2Fields } from "../../resource/pod.ts";
import { containerView, networkMount, persistentMountView } from "../container.ts";

export const podAction = Type.Enum(["start", "stop", "restart", "terminate"]);

const sshAddress = Type.Object(
  {
    host: Type.String(),
    port: Type.Integer(),
    username: Type.String(),
    command: Type.String({ description: "The command that connects." }),
  },
  { title: "PodSshEndpoint" },
);

const percent = Type.Optional(Type.Integer({ description: "Percent." }));
const utilization = Type.Object({ util: percent });

const runtime = Type.Object(
  {
    uptime: Type.Integer({ description: "Seconds since the container started." }),
    ports: Type.Array(
      Type.Object({
        private: Type.Integer(),
        public: Type.Union([Type.Integer(), Type.Null()]),
        type: Type.String(),
        ip: Type.Union([Type.String(), Type.Null()]),
      }),
    ),
    gpus: Type.Array(Type.Object({ util: percent, memoryUtil: percent })),
    cpu: utilization,
    memory: utilization,
  },
  { title: "PodRuntime" },
);

export const pod = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    status: Type.Enum(["PROVISIONING", "STARTING", "RUNNING", "EXITED", "ERROR", "TERMINATED"], {
      description: "What the Pod is, not what was asked for.",
    }),
    actions: Type.Array(podAction, { description: "The actions that it accepts now." }),
    ...containerView,
    mounts: Type.Object({
      persistent: Type.Optional(persistentMountView),
      network: Type.Optional(Type.Array(networkMount)),
    }),
    gpu: Type.Optional(
      Type.Object(
        {
          id: Type.String(),
          count: Type.Integer(),
          vcpuCount: Type.Number(),
          memory: Type.Number({ description: "GB." }),
        },
        { title: "PodGpu" },
      ),
    ),
    cpu: Type.Optional(
      Type.Object(
        { id: Type.String(), vcpuCount: Type.Integer(), memory: Type.Integer() },
        { title: "Cpu" },
      ),
    ),
    cloud: Type.Enum(["SECURE", "COMMUNITY", "ALL"]),
    dataCenterId: Type.Union([Type.String(), Type.Null()]),
    cudaVersion: Type.Union([Type.String(), Type.Null()]),
    ssh: Type.Object({
      proxy: Type.Union([sshAddress, Type.Null()], {
        description:
          "Freehold's SSH server, which needs none in the image. Null if it is off, and unless the Pod is RUNNING.",
      }),
      direct: Type.Union([sshAddress, Type.Null()], {
        description: "Null unless 22/tcp is exposed and has a public port.",
      }),
    }),
    template: Type.Null(),
    cost: Type.Number({ description: "Dollars per hour now." }),
    locked: Type.Boolean(),
    globalNetworking: Type.Object({ enabled: Type.Boolean() }),
    runtime: Type.Union([runtime, Type.Null()], {
      description: "Null unless the Pod is RUNNING.",
    }),
    createdAt: instant,
    startedAt: Type.Union([instant, Type.Null()]),
    createdBy: Type.Optional(createdBy),
    ...podV2Fields,
    simulated: Type.Optional(
      Type.Boolean({
        description:
          "True if it exists only in memory, and its image does not run. An extension of Freehold.",
      }),
    ),
    cluster: Type.Optional(
      Type.Object(
        {
          id: Type.String(),
          rank: Type.Union([Type.Integer(), Type.Null()]),
          ip: Type.String({ description: "Its address for the other members." }),
        },
        { title: "PodCluster", description: "Present on members of a cluster." },
      ),
    ),
  },
  { title: "Pod" },
);
export type Pod = Static<typeof pod>;
