// Endpoints.

import { Fault } from "../../domain/fault.ts";
import type { Template } from "../../domain/template/template.ts";
import { createEndpoint } from "../../flows/endpoint/create.ts";
import { deleteEndpoint } from "../../flows/endpoint/delete.ts";
import { type EndpointView, readEndpoint, readEndpoints } from "../../flows/endpoint/read.ts";
import { changeEndpointOf } from "../../flows/endpoint/update.ts";
import { accountFor, type Context } from "./context.ts";
import { type GraphqlEndpoint, graphqlEndpoint } from "./endpoint-read.ts";
import { type EndpointInput, endpointChangesOf, newEndpointOf } from "./endpoint-wishes.ts";
import type { Fields } from "./fields.ts";
import { needed, orNull } from "./pods.ts";
import { newTemplateOf, templateChangesOf } from "./template-wishes.ts";
import { graphqlWorker } from "./worker-read.ts";

export const endpointFields: Fields = {
  Mutation: {
    saveEndpoint: async (_, { input }: { input: EndpointInput }, context) =>
      graphqlEndpoint(context.deps.catalog, await save(context, input)),
    deleteEndpoint: async (_, { id }: { id: string }, { deps, ...context }) => {
      await deleteEndpoint(deps, accountFor({ deps, ...context }, "write"), id);
      return null;
    },
    updateEndpointTemplate: async (
      _,
      { input }: { input?: { endpointId: string; templateId: string } | null },
      { deps, ...context },
    ) => {
      const accountId = accountFor({ deps, ...context }, "write");
      const { endpointId: id, templateId } = needed(input);
      const view = await changeEndpointOf(deps, { accountId, id, wishes: { templateId } });
      return graphqlEndpoint(deps.catalog, view);
    },
  },
  Endpoint: {
    pods: async ({ id }: GraphqlEndpoint, _, context) => {
      const view = await readEndpoint(context.deps, accountFor(context, "read"), id, true);
      return (view.workers ?? []).map((worker) => graphqlWorker(worker, view));
    },
  },
};

export async function endpointsRead(context: Context): Promise<GraphqlEndpoint[]> {
  const { deps } = context;
  const views = await readEndpoints(deps, accountFor(context, "read"), false);
  return views.map((view) => graphqlEndpoint(deps.catalog, view));
}

export function endpointOrNull(context: Context, id: string): Promise<GraphqlEndpoint | null> {
  const { deps } = context;
  return orNull("endpoint_not_found", async () =>
    graphqlEndpoint(deps.catalog, await readEndpoint(deps, accountFor(context, "read"), id, false)),
  );
}

async function save(context: Context, input: EndpointInput): Promise<EndpointView> {
  const accountId = accountFor(context, "write");
  const { deps, once } = context;
  if (input.id) return change(context, accountId, { ...input, id: input.id });
  if (input.template && input.templateId) {
    const detail = 'Give "templateId" or "template", and not both.';
    throw new Fault("invalid_body", { detail });
  }
  const template = input.template
    ? newTemplateOf({ name: input.name, isServerless: true, ...setOf(input.template) })
    : undefined;
  const wishes = newEndpointOf(deps.catalog, input, input.templateId ?? (template ? "new" : ""));
  const keyId = context.key?.id ?? "";
  return createEndpoint(deps, { accountId, keyId, wishes, ...(template && { template }), once });
}

/** A template that comes along changes the one that the endpoint has. */
function change(
  { deps }: Context,
  accountId: string,
  { template, ...input }: EndpointInput & { id: string },
): Promise<EndpointView> {
  const wishes = endpointChangesOf(deps.catalog, input);
  return changeEndpointOf(deps, {
    accountId,
    id: input.id,
    wishes,
    ...(template && { template: (now: Template) => templateChangesOf(template, now) }),
  });
}

/** An endpoint's own name stands for that of its template, unless that has one. */
function setOf<Input extends { name?: string | null }>(template: Input) {
  const { name, ...rest } = template;
  return name ? template : rest;
}
