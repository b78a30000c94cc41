// Templates: an image with its start settings, saved under a name.

import Type, { type Static } from "typebox";
import {
  createdBy,
  env,
  labeledList,
  labels,
  name,
  partialUpdate,
  TAKES,
  wholeNumber,
} from "../../fields.ts";
import { idleRule } from "../../idle-rule.ts";
import { maxLifetime, maxLifetimeOrNull } from "../../max-lifetime.ts";
import { type Operations, read, write } from "../../operation.ts";

const argumentList = (description: string) =>
  Type.Array(Type.String(), {
    default: [],
    description: `${description} Empty for the image's default.`,
  });

const imageName = Type.String({ minLength: 1, description: "The container image." });

const changeableFields = {
  containerDiskInGb: wholeNumber(0, {
    default: 50,
    description: "Size of the container disk in GB. It is wiped on a restart.",
  }),
  containerRegistryAuthId: Type.String({
    default: "",
    description: "A container registry auth, for a private image; empty for none.",
  }),
  dockerEntrypoint: argumentList("Replaces the image's ENTRYPOINT."),
  dockerStartCmd: argumentList("Replaces the image's CMD. The process driver requires it."),
  driver: Type.Union([Type.Enum(["docker", "kubernetes", "process", "simulated"]), Type.Null()], {
    default: null,
    [TAKES]:
      'one of "docker", "kubernetes", "process", "simulated", or null for the machine\'s driver',
    description:
      "The driver that must run it; null for the machine's driver. An extension of Freehold.",
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
    { default: ["8888/http", "22/tcp"], description: "Exposed ports." },
  ),
  portLabels: Type.Unsafe<Record<string, string>>(
    Type.Object(
      {},
      {
        additionalProperties: Type.String(),
        propertyNames: { pattern: "^[0-9]{1,5}$", [TAKES]: "a port, such as 8888" },
        default: {},
        description:
          'Display names by port, such as {"8888": "JupyterLab"}. The console shows a button for each ' +
          "that is an HTTP port. An extension of Freehold.",
      },
    ),
  ),
  readme: Type.String({ default: "", description: "Description in Markdown." }),
  volumeInGb: wholeNumber(0, {
    default: 20,
    description: "Size of the volume in GB. It survives a restart.",
  }),
  volumeMountPath: Type.String({
    default: "/workspace",
    pattern: "^/",
    [TAKES]: "an absolute path such as /workspace",
    description: "Where the volume is mounted.",
  }),
};

const stopWhenIdle = Type.Union([idleRule, Type.Null()], {
  [TAKES]: "an object with minutes, from 1 to 43200, or null",
  description:
    "When Pods that are created from it stop for being idle, unless they have a rule of their own. It goes before that of " +
    "a project. An extension of Freehold.",
});

/** What Pods that are created from it follow. */
const podRules = { stopWhenIdle, maxLifetime: maxLifetimeOrNull };

/** Fields that cannot change after creation. */
const fixedFields = {
  category: Type.Enum(["NVIDIA", "AMD", "CPU"], {
    default: "NVIDIA",
    description: "The hardware that the template is for.",
  }),
  isServerless: Type.Boolean({
    default: false,
    description: "Whether the template is for endpoints.",
  }),
};

const optional = Type.Partial(Type.Object({ ...changeableFields, ...fixedFields, ...podRules }));

export const templateCreate = Type.Object(
  { name, labels: Type.Optional(labels), imageName, ...optional.properties },
  { title: "TemplateCreateInput", additionalProperties: false },
);
export type TemplateCreate = Static<typeof templateCreate>;

export const templateUpdate = Type.Object(
  partialUpdate(Type.Object({ name, labels, imageName, ...changeableFields, ...podRules }))
    .properties,
  { title: "TemplateUpdateInput", additionalProperties: false },
);
export type TemplateUpdate = Static<typeof templateUpdate>;

export const template = Type.Object(
  {
    id: Type.String(),
    name,
    labels: Type.Optional(labels),
    imageName,
    ...changeableFields,
    ...fixedFields,
    stopWhenIdle: Type.Optional(idleRule),
    maxLifetime: Type.Optional(maxLifetime),
    createdBy: Type.Optional(createdBy),
    minGpuMemoryInGb: Type.Optional(
      Type.Integer({
        description:
          "The least memory of a GPU that an official template needs, in GB. Absent for others. An extension of Freehold.",
      }),
    ),
    earned: Type.Number({ description: "Always 0: templates are not sold here." }),
    isRunpod: Type.Boolean({
      description: "Whether it is official: every account can use it, and none can change it.",
    }),
    runtimeInMin: Type.Integer({ description: "Always 0: templates earn nothing." }),
  },
  { title: "Template" },
);
export type Template = Static<typeof template>;

const flag = (description: string) => Type.Boolean({ default: false, description });

const includeFlags = Type.Partial(
  Type.Object({
    includeEndpointBoundTemplates: flag("Also return templates that an endpoint uses."),
    includePublicTemplates: flag("Also return public templates of other accounts."),
    includeRunpodTemplates: flag("Also return official templates."),
  }),
);

const templatePath = "/v1/templates/{templateId}";
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
    description:
      "Templates that an endpoint uses are returned only with includeEndpointBoundTemplates.",
    needs: read,
    query: Type.Object({ ...labeledList.properties, ...includeFlags.properties }),
    answer: { status: 200, description: "The templates.", schema: Type.Array(template) },
  },
  getTemplate: {
    method: "GET",
    path: templatePath,
    tag: "Templates",
    summary: "Read a template",
    needs: read,
    query: includeFlags,
    answer,
  },
  updateTemplate: {
    method: "PATCH",
    path: templatePath,
    also: [{ method: "POST", path: `${templatePath}/update` }],
    tag: "Templates",
    summary: "Change a template",
    description:
      "A change of name, labels, isPublic, readme, stopWhenIdle, maxLifetime, volumeInGb or volumeMountPath takes effect in place. " +
      "Any other change is a new release of every endpoint that uses the template.",
    needs: write,
    body: templateUpdate,
    answer,
  },
  deleteTemplate: {
    method: "DELETE",
    path: templatePath,
    tag: "Templates",
    summary: "Delete a template",
    description: "Fails while a Pod or an endpoint of the account uses the template.",
    needs: write,
    answer: { status: 204, description: "The template is deleted." },
  },
} as const satisfies Operations;
