// What is written of a machine: what the operator adds, declares and changes.

import Type, { type Static } from "typebox";
import { name, TAKES } from "../../fields.ts";
import { clusterSettings } from "./cluster-settings.ts";
import { gpuUpdate } from "./gpu.ts";

const BYTE = "(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)";
const IPV4 = `^${BYTE}(?:\\.${BYTE}){3}$`;
const amount = Type.Number({ minimum: 0 });
const capacity = Type.Integer({ minimum: 1 });

/** Attributes that cannot be detected on a machine, and capacities that replace the detected ones. */
export const machineDeclared = Type.Partial(
  Type.Object({
    dataCenterId: Type.String(),
    countryCode: Type.String(),
    location: Type.String(),
    cloudType: Type.Enum(["SECURE", "COMMUNITY"]),
    cudaVersion: Type.String(),
    downloadMbps: amount,
    uploadMbps: amount,
    diskMBps: amount,
    supportPublicIp: Type.Boolean(),
    vcpus: capacity,
    memoryInGb: capacity,
    diskInGb: capacity,
    fabric: Type.Object(
      {
        name: Type.String({ pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$" }),
        address: Type.String({ pattern: IPV4, [TAKES]: "an IPv4 address" }),
      },
      {
        additionalProperties: false,
        description:
          "The private network that it shares with other machines, and its address there.",
      },
    ),
  }),
  { additionalProperties: false },
);

const counts = (description: string) =>
  Type.Unsafe<Record<string, number>>(
    Type.Object(
      {},
      { description, additionalProperties: Type.Integer({ minimum: 0, maximum: 900 }) },
    ),
  );
const pem = (description: string) =>
  Type.String({ minLength: 1, maxLength: 32_768, writeOnly: true, description });

const kubeconfigText = (description: string) =>
  Type.String({ minLength: 1, maxLength: 1_048_576, writeOnly: true, description });
const contextName = Type.String({
  minLength: 1,
  maxLength: 255,
  description: "The context of the kubeconfig. Default: its current context.",
});

export const machineCreate = Type.Object(
  {
    address: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description: "ssh://user@host, ssh://user@host:port/socket, or tcp://host:port with TLS.",
      }),
    ),
    kubeconfig: Type.Optional(
      kubeconfigText(
        "Adds a Kubernetes cluster in place of a machine: the text of a kubeconfig with its credentials.",
      ),
    ),
    inCluster: Type.Optional(
      Type.Boolean({
        description:
          "Adds the Kubernetes cluster that Freehold runs in, as the service account that it runs under.",
      }),
    ),
    context: Type.Optional(contextName),
    cluster: Type.Optional(clusterSettings),
    name: Type.Optional(name),
    identity: Type.Optional(
      pem(
        "A private key for ssh://. Default: the keys and the SSH agent of the user that runs Freehold.",
      ),
    ),
    tls: Type.Optional(
      Type.Object(
        {
          ca: pem("The CA certificate, as PEM."),
          cert: pem("The client certificate, as PEM."),
          key: pem("The client key, as PEM."),
        },
        { additionalProperties: false, description: "TLS credentials for tcp://; never returned." },
      ),
    ),
    declare: Type.Optional(machineDeclared),
    simulatedGpus: Type.Optional(counts("Simulated GPUs, as counts by type.")),
    virtualGpus: Type.Optional(counts("The earlier name of `simulatedGpus`.")),
    gpus: Type.Optional(counts("Real GPUs, as counts by type, if they cannot be detected.")),
    publicIp: Type.Optional(
      Type.String({
        pattern: IPV4,
        [TAKES]: "an IPv4 address",
        description: "The address of its Pods' public ports.",
      }),
    ),
  },
  { title: "MachineCreate", additionalProperties: false },
);

const orNull = <Schema extends Type.TSchema>(schema: Schema, takes: string) =>
  Type.Union([schema, Type.Null()], { [TAKES]: `${takes}, or null` });
const instantOrNull = (description: string) =>
  orNull(Type.String({ format: "date-time", description }), "an instant");

export const machineUpdate = Type.Partial(
  Type.Object({
    draining: Type.Boolean({
      description:
        "Whether it accepts no new Pods and workers. Its workers finish their jobs and end; its Pods stay.",
    }),
    maintenanceStart: instantOrNull("Nothing new is placed on the machine from this instant."),
    maintenanceEnd: instantOrNull("The end of the maintenance; null leaves it open."),
    maintenanceNote: orNull(Type.String({ maxLength: 1_000 }), "a string"),
    ...gpuUpdate,
    hostKey: Type.Null({
      [TAKES]: "null",
      description:
        "Null forgets the host key; the next one that the SSH server presents is accepted.",
    }),
    name,
    kubeconfig: kubeconfigText(
      "New credentials of a Kubernetes cluster, at the same address. They are tried first.",
    ),
    context: contextName,
    cluster: Type.Object(clusterSettings.properties, {
      additionalProperties: false,
      description: "New settings of a Kubernetes cluster, in place of all earlier ones.",
    }),
  }),
  { title: "MachineUpdate", additionalProperties: false },
);

export type MachineCreate = Static<typeof machineCreate>;
export type MachineUpdate = Static<typeof machineUpdate>;
