// Templates: an image with its start settings, saved under a name.

import Type, { type Static } from "typebox";
import { createdBy, labeledList, labels, partialUpdate } from "../../fields.ts";
import { type Operations, read, write } from "../../operation.ts";
import {
  containerRequest,
  containerView,
  driver,
  persistentMount,
  persistentMountView,
} from "../container.ts";
import { closed, cudaVersion, name, noContent, pageQuery, pagination } from "../fields.ts";

const flag = (value: boolean, description: string) => Type.Boolean({ default: value, description });

const settings = {
  mounts: closed(
    { persistent: Type.Optional(persistentMount) },
    { title: "TemplateVolumeMounts", description: "The volume of Pods from this template." },
  ),
  serverless: flag(false, "Whether the template is for endpoints."),
  public: flag(false, "Whether other accounts can find and read it."),
  category: Type.Enum(["CPU", "NVIDIA", "AMD"], {
    default: "NVIDIA",
    description: "The hardware that the template is for.",
  }),
  startSsh: flag(true, "Whether Pods from it start the image's SSH server."),
  startJupyter: flag(true, "Whether Pods from it start the image's Jupyter."),
  allowedCudaVersions: Type.Array(cudaVersion, {
    default: [],
    description: "Allowed CUDA versions of a Pod's machine; empty for any.",
  }),
  driver,
};

const { image, ...container } = containerRequest;

const templateCreate = closed(
  {
    name,
    labels: Type.Optional(labels),
    image: Type.String({ minLength: 1, description: "The container image." }),
    ...container,
    ...Type.Partial(Type.Object(settings)).properties,
  },
  { title: "TemplateCreate" },
);
export type TemplateCreate = Static<typeof templateCreate>;

const templatePatch = Type.Object(
  partialUpdate(Type.Object({ name, labels, image, ...container, ...settings })).properties,
  { title: "TemplatePatch", additionalProperties: false },
);
export type TemplatePatch = Static<typeof templatePatch>;

export const template = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    labels: Type.Optional(labels),
    ...containerView,
    ...settings,
    createdBy: Type.Optional(createdBy),
    mounts: Type.Object({ persistent: Type.Optional(persistentMountView) }),
  },
  { title: "Template" },
);
export type Template = Static<typeof template>;

const tag = "Templates";
const path = "/v2/templates/{templateId}";
const answer = { status: 200, description: "The template.", schema: template } as const;

export const templateOperations = {
  createTemplate: {
    method: "POST",
    path: "/v2/templates",
    tag,
    summary: "Create a template",
    description: "Names are unique within an account.",
    needs: write,
    body: templateCreate,
    once: true,
    answer: { ...answer, status: 201 },
  },
  listTemplates: {
    method: "GET",
    path: "/v2/templates",
    tag,
    summary: "List templates",
    description:
      "The account's templates, newest first. Templates of a single endpoint are left out.",
    needs: read,
    query: Type.Object({ ...labeledList.properties, ...pageQuery }),
    answer: {
      status: 200,
      description: "A page of templates.",
      schema: Type.Object(
        { templates: Type.Array(template), pagination },
        { title: "TemplatePage" },
      ),
    },
  },
  getTemplate: {
    method: "GET",
    path,
    tag,
    summary: "Read a template",
    description: "One of the account, a public one, or an official one.",
    needs: read,
    answer,
  },
  updateTemplate: {
    method: "PATCH",
    path,
    tag,
    summary: "Change a template",
    needs: write,
    body: templatePatch,
    answer,
  },
  deleteTemplate: {
    method: "DELETE",
    path,
    tag,
    summary: "Delete a template",
    description: "Fails while a Pod or an endpoint of the account uses the template.",
    needs: write,
    answer: noContent("The template is deleted."),
  },
} as const satisfies Operations;
