// Templates: an image and how its container is started, kept under a name.

import Type, { type Static } from "typebox";
import { changesOf, env, name, TAKES, whole } from "../fields.ts";
import type { Operations } from "../operation.ts";

const words = (description: string) =>
  Type.Array(Type.String(), { default: [], description: `${description} Empty: the image's own.` });

const imageName = Type.String({ minLength: 1, description: "The image a container is made from." });

const changeable = {
  containerDiskInGb: whole(0, { default: 50, description: "GB that are wiped on a restart." }),
  containerRegistryAuthId: Type.String({
    default: "",
    description: "A container registry auth, for a private image; empty for none.",
  }),
  dockerEntrypoint: words("Replaces the image's ENTRYPOINT."),
  dockerStartCmd: words("Replaces the image's CMD. A process driver needs it."),
  driver: Type.Union([Type.Enum(["docker", "process", "fake"]), Type.Null()], {
    default: null,
    [TAKES]: 'one of "docker", "process", "fake", or null for whichever the machine has',
    description: "Which driver must run it; null leaves that to the machine. An extension of ours.",
  }),
  env,
  isPublic: Type.Boolean({
    default: false,
    description: "Whether other accounts can find and read it.",
  }),
  ports: Type.Array(
    Type.String({
      pattern: "^[0-9]{1,5}/(http|tcp)$",
      [TAKES]: "a port and its protocol, such as 8888/http or 22/tcp",
    }),
    { default: ["8888/http", "22/tcp"], description: "Ports that are exposed." },
  ),
  readme: Type.String({ default: "", description: "Markdown for people." }),
  volumeInGb: whole(0, { default: 20, description: "GB that outlive a restart." }),
  volumeMountPath: Type.String({
    default: "/workspace",
    pattern: "^/",
    [TAKES]: "an absolute path such as /workspace",
    description: "Where the volume is mounted.",
  }),
};

/** What can be said only once. */
const fixed = {
  category: Type.Enum(["NVIDIA", "AMD", "CPU"], {
    default: "NVIDIA",
    description: "What kind of machine it is meant for.",
  }),
  isServerless: Type.Boolean({ default: false, description: "Whether it is meant for endpoints." }),
};

const optional = Type.Partial(Type.Object({ ...changeable, ...fixed }));

export const templateCreate = Type.Object(
  { name, imageName, ...optional.properties },
  { title: "TemplateCreate", additionalProperties: false },
);
export type TemplateCreate = Static<typeof templateCreate>;

export const templateUpdate = Type.Object(
  changesOf(Type.Object({ name, imageName, ...changeable })).properties,
  { title: "TemplateUpdate", additionalProperties: false },
);
export type TemplateUpdate = Static<typeof templateUpdate>;

export const template = Type.Object(
  {
    id: Type.String(),
    name,
    imageName,
    ...changeable,
    ...fixed,
    earned: Type.Number({ description: "Always 0: templates are not sold here." }),
    isRunpod: Type.Boolean({ description: "Always false: none comes from a vendor." }),
    runtimeInMin: Type.Integer({ description: "Always 0: nothing is earned by the minute." }),
  },
  { title: "Template" },
);
export type Template = Static<typeof template>;

const flag = (description: string) => Type.Boolean({ default: false, description });

const including = Type.Partial(
  Type.Object({
    includeEndpointBoundTemplates: flag("Also those that an endpoint uses."),
    includePublicTemplates: flag("Also those that other accounts made public."),
    includeRunpodTemplates: flag("Taken for the sake of clients; there are none."),
  }),
);

const one = "/v1/templates/{templateId}";
const read = { of: "rest", access: "read" } as const;
const write = { of: "rest", access: "write" } as const;
const answer = { status: 200, description: "The template.", schema: template } as const;

export const templateOperations = {
  createTemplate: {
    method: "POST",
    path: "/v1/templates",
    tag: "Templates",
    summary: "Create a template",
    description: "Names are unique within an account.",
    needs: write,
    body: templateCreate,
    once: true,
    answer,
  },
  listTemplates: {
    method: "GET",
    path: "/v1/templates",
    tag: "Templates",
    summary: "List templates",
    description: "Those that an endpoint uses are left out unless they are asked for.",
    needs: read,
    query: including,
    answer: { status: 200, description: "The templates.", schema: Type.Array(template) },
  },
  getTemplate: {
    method: "GET",
    path: one,
    tag: "Templates",
    summary: "Read a template",
    needs: read,
    query: including,
    answer,
  },
  updateTemplate: {
    method: "PATCH",
    path: one,
    also: [{ method: "POST", path: `${one}/update` }],
    tag: "Templates",
    summary: "Change a template",
    description:
      "A change of name, isPublic, readme, volumeInGb or volumeMountPath takes effect in place. " +
      "Any other is a new release of every endpoint that uses the template.",
    needs: write,
    body: templateUpdate,
    answer,
  },
  deleteTemplate: {
    method: "DELETE",
    path: one,
    tag: "Templates",
    summary: "Delete a template",
    description: "Refused while a Pod or an endpoint of the account uses it.",
    needs: write,
    answer: { status: 204, description: "It is gone." },
  },
} as const satisfies Operations;
