// The settings of a Kubernetes cluster.

import Type from "typebox";
import { TAKES } from "../../fields.ts";

const port = Type.Integer({ minimum: 1, maximum: 65_535 });
const limit = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000, description }));
const className = (example: string, description: string) =>
  Type.String({
    pattern: "^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$",
    maxLength: 253,
    [TAKES]: `a name such as ${example}`,
    description,
  });

export const clusterSettings = Type.Object(
  {
    networkVolumes: Type.Optional(
      Type.Object(
        {
          storageClass: Type.String({ minLength: 1, maxLength: 253 }),
          access: Type.Optional(
            Type.Enum(["ReadWriteMany", "ReadWriteOnce"], {
              description:
                "ReadWriteOnce pins each volume to the node that used it first. Default: ReadWriteMany.",
            }),
          ),
        },
        {
          additionalProperties: false,
          description: "The storage class of network volumes. Absent if the cluster offers none.",
        },
      ),
    ),
    publicPorts: Type.Optional(
      Type.Enum(["NodePort", "LoadBalancer"], {
        description:
          "The type of the Services that lead public TCP ports to Pods. Default: NodePort.",
      }),
    ),
    gpuRuntimeClass: Type.Optional(
      className("nvidia", "The RuntimeClass of Pods with GPUs. Default: the cluster's own."),
    ),
    priorityClasses: Type.Optional(
      Type.Object(
        {
          spot: Type.Optional(className("spot", "That of interruptible Pods.")),
          onDemand: Type.Optional(className("on-demand", "That of other Pods and of workers.")),
        },
        {
          additionalProperties: false,
          description: "PriorityClasses of the cluster. Default: the cluster's own for all.",
        },
      ),
    ),
    accountQuota: Type.Optional(
      Type.Object(
        {
          pods: limit("Pods and workers that run or wait."),
          vcpus: limit("vCPUs."),
          memoryGb: limit("Memory in GiB."),
          gpus: limit("GPUs of each vendor."),
          diskGb: limit("The disks of containers, in GB."),
          storageGb: limit("Volumes, in GB."),
        },
        {
          additionalProperties: false,
          description:
            "The most that the Pods and workers of one account request together. Default: no limit.",
        },
      ),
    ),
    callbackUrl: Type.Optional(
      Type.String({
        pattern: "^https?://[^/?#]+$",
        maxLength: 255,
        [TAKES]: "an origin such as http://freehold.freehold.svc:8700",
        description: "Where its Pods reach Freehold. Default: the public URL.",
      }),
    ),
    nodePorts: Type.Optional(
      Type.Object(
        { first: port, last: port },
        {
          additionalProperties: false,
          description: "The cluster's range of node ports. Default: 30000 to 32767.",
        },
      ),
    ),
  },
  { additionalProperties: false, description: "Settings of a Kubernetes cluster." },
);
