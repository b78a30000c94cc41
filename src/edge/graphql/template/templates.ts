// Templates.

import { Fault } from "../../../domain/fault.ts";
import type { Template } from "../../../domain/template/template.ts";
import type { FlowDeps } from "../../../flows/flow-deps.ts";
import { ownedBy, visibleTemplates } from "../../../flows/member/owner.ts";
import { createTemplate } from "../../../flows/template/create.ts";
import { deleteTemplateOf } from "../../../flows/template/delete.ts";
import {
  ANY_TEMPLATE,
  type Beyond,
  readableTemplate,
  refuseOfficial,
} from "../../../flows/template/find.ts";
import { templatesOf } from "../../../flows/template/list.ts";
import { changeTemplateOf } from "../../../flows/template/update.ts";
import type { PodRules } from "../../../flows/workload/pod-rules.ts";
import type { Resolvers } from "../resolvers/resolvers.generated.ts";
import { accountFor, creatorFor, type GraphqlContext } from "../schema/context.ts";
import { requireInput } from "../schema/input.ts";
import { nullIfMissing } from "../schema/missing.ts";
import type { QueryPodTemplatesArgs } from "../schema/types.generated.ts";
import { type GraphqlTemplate, graphqlTemplate } from "../view/template-view.ts";
import { newTemplateFrom, type TemplateInput, templateChangesFrom } from "./template-request.ts";

/** What reads of templates need. */
export type TemplateReadDeps = Pick<Deps, "store" | "officialTemplates">;

interface Deps extends FlowDeps, PodRules {}

export const templateResolvers: Resolvers<GraphqlContext<Deps>> = {
  Query: {
    podTemplates: async (_, { input }, context) => {
      const listed = visibleTemplates(await readTemplates(context, ANY_TEMPLATE), context.key);
      const templates = listed.map(graphqlTemplate);
      return templates.filter((template) => matchesFlags(template, input));
    },
    podTemplate: (_, { id }, context) =>
      nullIfMissing("template_not_found", async () => {
        const accountId = accountFor(context, "read");
        return graphqlTemplate(await readableTemplate(context.deps, accountId, id, ANY_TEMPLATE));
      }),
  },
  Mutation: {
    saveTemplate: async (_, { input }, context) =>
      graphqlTemplate(await save(context, requireInput(input))),
    deleteTemplate: (_, { templateName }, context) => deleteByName(context, templateName),
  },
};

/** `createdBy` is the id of a member, or "me". */
export async function readOwnTemplates(
  context: GraphqlContext<TemplateReadDeps>,
  createdBy?: string | null,
): Promise<GraphqlTemplate[]> {
  const templates = await readTemplates(context, OWN);
  return ownedBy(templates, createdBy, context.key).map(graphqlTemplate);
}

const OWN: Beyond = { public: false, official: false };

function readTemplates(
  context: GraphqlContext<TemplateReadDeps>,
  beyond: Beyond,
): Promise<Template[]> {
  const accountId = accountFor(context, "read");
  return templatesOf(context.deps, { accountId, bound: true, ...beyond });
}

async function save(context: GraphqlContext<Deps>, input: TemplateInput): Promise<Template> {
  const { deps, once } = context;
  const accountId = accountFor(context, "write");
  if (!input.id) {
    return createTemplate(deps, { ...creatorFor(context), ...newTemplateFrom(input), once });
  }
  refuseOfficial(deps, input.id);
  const before = await readableTemplate(deps, accountId, input.id, OWN);
  const changes = templateChangesFrom(input, before);
  return changeTemplateOf(deps, { accountId, id: input.id, changes });
}

/** Names are unique within an account. */
async function deleteByName(context: GraphqlContext<Deps>, name: string): Promise<null> {
  const templates = visibleTemplates(await readTemplates(context, OWN), context.key);
  const template = templates.find((each) => each.name === name);
  const official = context.deps.officialTemplates.all.find((each) => each.name === name);
  if (!template && official) throw new Fault("template_official", { id: official.id });
  if (!template) throw new Fault("template_not_found", { id: `named "${name.slice(0, 200)}"` });
  await deleteTemplateOf(context.deps, accountFor(context, "write"), template.id);
  return null;
}

function matchesFlags(template: GraphqlTemplate, flags: QueryPodTemplatesArgs["input"]): boolean {
  const { isPublic, isRunpod, isServerless } = flags ?? {};
  const matches = (flag: boolean | null | undefined, value: boolean) =>
    flag === undefined || flag === null || flag === value;
  return (
    matches(isPublic, template.isPublic) &&
    matches(isRunpod, template.isRunpod) &&
    matches(isServerless, template.isServerless)
  );
}
