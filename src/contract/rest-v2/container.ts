// The settings of a container, which Pods, endpoints and templates share.

import Type, { type Static } from "typebox";
import { env, TAKES, wholeNumber } from "../fields.ts";
import { closed, orNull } from "./fields.ts";

const words = (description: string) => Type.Array(Type.String(), { description });

export const containerRequest = {
  image: Type.Optional(Type.String({ minLength: 1, description: "The container image." })),
  args: Type.Optional(
    Type.String({
      description:
        'The command as one text: a line that replaces CMD, or the JSON text {"entrypoint": [...], ' +
        '"cmd": [...]}. An empty text clears both.',
    }),
  ),
  entrypoint: Type.Optional(words("Replaces the image's ENTRYPOINT.")),
  cmd: Type.Optional(words("Replaces the image's CMD.")),
  disk: Type.Optional(
    wholeNumber(1, { description: "Size of the container disk in GB. It is wiped on a restart." }),
  ),
  ports: Type.Optional(
    Type.Array(
      Type.String({
        pattern: "^[0-9]{1,5}/(http|tcp)$",
        [TAKES]: "a port and its protocol, such as 8888/http or 22/tcp",
      }),
      { description: "Exposed ports." },
    ),
  ),
  env: Type.Optional(env),
  registry: Type.Optional(
    orNull(
      Type.String({ description: "Credentials for a private image." }),
      "the id of registry credentials",
    ),
  ),
};

/** For what can choose its driver when it is created. */
export const driver = orNull(
  Type.Enum(["docker", "kubernetes", "process", "simulated"], {
    description: "The driver that must run it; null for the machine's. An extension of Freehold.",
  }),
  'one of "docker", "kubernetes", "process", "simulated"',
);

/** The fields that Pods, endpoints and templates share. */
export const containerRequestFields = { ...containerRequest, driver: Type.Optional(driver) };
const containerRequestSchema = Type.Object(containerRequestFields);
export type ContainerRequest = Static<typeof containerRequestSchema>;

export const containerView = {
  image: Type.String(),
  args: Type.String({ description: "entrypoint and cmd as one text." }),
  entrypoint: Type.Array(Type.String()),
  cmd: Type.Array(Type.String()),
  disk: Type.Integer(),
  ports: Type.Array(Type.String()),
  env,
  registry: Type.Union([Type.String(), Type.Null()]),
};

const containerViewSchema = Type.Object(containerView);
export type ContainerView = Static<typeof containerViewSchema>;

const path = Type.String({
  pattern: "^/",
  [TAKES]: "an absolute path such as /workspace",
  description: "Where it is mounted.",
});

export const persistentMount = closed(
  {
    size: wholeNumber(10, { description: "Size in GB. It survives a stop and can only grow." }),
    path,
  },
  { title: "PersistentMount" },
);

export const networkMount = closed(
  { volumeId: Type.String({ description: "The id of a network volume." }), path },
  { title: "NetworkMount" },
);

/** In responses: a volume of REST v1 can be smaller. */
export const persistentMountView = Type.Object({ size: Type.Integer(), path: Type.String() });
