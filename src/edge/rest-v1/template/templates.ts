// Routes of /v1/templates.

import type { FastifyInstance } from "fastify";
import { templateOperations } from "../../../contract/rest-v1/template/template.ts";
import { createTemplate } from "../../../flows/template/create.ts";
import { deleteTemplateOf } from "../../../flows/template/delete.ts";
import { readableTemplate } from "../../../flows/template/find.ts";
import { templatesOf } from "../../../flows/template/list.ts";
import { changeTemplateOf } from "../../../flows/template/update.ts";
import type { RestDeps } from "../deps.ts";
import { serve } from "../serve/serve.ts";
import { templateRead } from "./template-view.ts";

export function templateRoutes(app: FastifyInstance, deps: RestDeps): void {
  serve(app, templateOperations, {
    async createTemplate({ accountId, body, once }) {
      const { name, ...settings } = body;
      return templateRead(await createTemplate(deps, { accountId, name, settings, once }));
    },
    async listTemplates({ accountId, query }) {
      const templates = await templatesOf(deps, {
        accountId,
        bound: query.includeEndpointBoundTemplates ?? false,
        public: query.includePublicTemplates ?? false,
      });
      return templates.map(templateRead);
    },
    async getTemplate({ accountId, params, query }) {
      const withPublic = query.includePublicTemplates ?? false;
      return templateRead(await readableTemplate(deps, accountId, params.templateId, withPublic));
    },
    async updateTemplate({ accountId, params, body }) {
      const update = { accountId, id: params.templateId, changes: body };
      return templateRead(await changeTemplateOf(deps, update));
    },
    async deleteTemplate({ accountId, params }) {
      await deleteTemplateOf(deps, accountId, params.templateId);
    },
  });
}
