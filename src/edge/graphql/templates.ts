// Templates.

import { Fault } from "../../domain/fault.ts";
import type { Template } from "../../domain/template/template.ts";
import { createTemplate } from "../../flows/template/create.ts";
import { deleteTemplateOf } from "../../flows/template/delete.ts";
import { readableTemplate } from "../../flows/template/find.ts";
import { templatesOf } from "../../flows/template/list.ts";
import { changeTemplateOf } from "../../flows/template/update.ts";
import { accountFor, type Context } from "./context.ts";
import type { Fields } from "./fields.ts";
import { needed, orNull } from "./pods.ts";
import { graphqlTemplate } from "./template-read.ts";
import { newTemplateOf, type TemplateInput, templateChangesOf } from "./template-wishes.ts";

interface Flags {
  isPublic?: boolean | null;
  isRunpod?: boolean | null;
  isServerless?: boolean | null;
}

export const templateFields: Fields = {
  Query: {
    podTemplates: async (_, { input }: { input?: Flags | null }, context) =>
      (await visible(context, true)).map(graphqlTemplate).filter((each) => hasFlags(each, input)),
    podTemplate: (_, { id }: { id: string }, context) =>
      orNull("template_not_found", async () => graphqlTemplate(await readOne(context, id))),
  },
  Mutation: {
    saveTemplate: async (_, { input }: { input?: TemplateInput | null }, context) =>
      graphqlTemplate(await save(context, needed(input))),
    deleteTemplate: (_, { templateName }: { templateName: string }, context) =>
      drop(context, templateName),
  },
};

export async function ownTemplates(context: Context) {
  return (await visible(context, false)).map(graphqlTemplate);
}

function visible(context: Context, others: boolean): Promise<Template[]> {
  const accountId = accountFor(context, "read");
  return templatesOf(context.deps, { accountId, bound: true, public: others });
}

function readOne(context: Context, id: string): Promise<Template> {
  return readableTemplate(context.deps, accountFor(context, "read"), id, true);
}

async function save({ deps, ...context }: Context, input: TemplateInput): Promise<Template> {
  const accountId = accountFor({ deps, ...context }, "write");
  if (!input.id) {
    return createTemplate(deps, { accountId, ...newTemplateOf(input), once: context.once });
  }
  const before = await readableTemplate(deps, accountId, input.id, false);
  const changes = templateChangesOf(input, before);
  return changeTemplateOf(deps, { accountId, id: input.id, changes });
}

/** Names are unique within an account. */
async function drop(context: Context, name: string): Promise<null> {
  const named = (await visible(context, false)).find((template) => template.name === name);
  if (!named) throw new Fault("template_not_found", { id: `named "${name.slice(0, 200)}"` });
  await deleteTemplateOf(context.deps, accountFor(context, "write"), named.id);
  return null;
}

function hasFlags(template: ReturnType<typeof graphqlTemplate>, asked: Flags | null | undefined) {
  const { isPublic, isRunpod, isServerless } = asked ?? {};
  const matches = (flag: boolean | null | undefined, is: boolean) =>
    flag === undefined || flag === null || flag === is;
  return (
    matches(isPublic, template.isPublic) &&
    matches(isRunpod, template.isRunpod) &&
    matches(isServerless, template.isServerless)
  );
}
