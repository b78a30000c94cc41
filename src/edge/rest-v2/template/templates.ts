// Routes of /v2/templates.

import type { FastifyInstance } from "fastify";
import { templateOperations } from "../../../contract/rest-v2/template/template.ts";
import { createTemplate } from "../../../flows/template/create.ts";
import { deleteTemplateOf } from "../../../flows/template/delete.ts";
import { ANY_TEMPLATE, readableTemplate } from "../../../flows/template/find.ts";
import { templatePage } from "../../../flows/template/list.ts";
import { changeTemplateOf } from "../../../flows/template/update.ts";
import type { RestDeps } from "../../management/deps.ts";
import { pageRequest, paginationOf } from "../serve/cursor.ts";
import { serve } from "../serve/serve.ts";
import { newTemplateSettings, templateChanges, templateRead } from "./template-form.ts";

export function templateRoutes(app: FastifyInstance, deps: RestDeps): void {
  serve(app, templateOperations, {
    async createTemplate({ accountId, body, once }) {
      const template = { accountId, ...newTemplateSettings(body), once };
      return templateRead(accountId, await createTemplate(deps, template));
    },
    async listTemplates({ accountId, query }) {
      const scope = { accountId, operation: "listTemplates" };
      const page = await templatePage(deps, accountId, pageRequest(scope, query));
      const templates = page.items.map((each) => templateRead(accountId, each));
      return { templates, pagination: paginationOf(scope, page) };
    },
    async getTemplate({ accountId, params }) {
      return templateRead(
        accountId,
        await readableTemplate(deps, accountId, params.templateId, ANY_TEMPLATE),
      );
    },
    async updateTemplate({ accountId, params, body }) {
      const update = { accountId, id: params.templateId, changes: templateChanges(body) };
      return templateRead(accountId, await changeTemplateOf(deps, update));
    },
    async deleteTemplate({ accountId, params }) {
      await deleteTemplateOf(deps, accountId, params.templateId);
    },
  });
}
