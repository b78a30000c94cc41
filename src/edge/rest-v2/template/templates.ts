// Routes of /v2/templates.

import type { FastifyInstance } from "fastify";
import { templateOperations } from "../../../contract/rest-v2/template/template.ts";
import { creatorOf } from "../../../domain/account.ts";
import type { FlowDeps } from "../../../flows/flow-deps.ts";
import { createTemplate } from "../../../flows/template/create.ts";
import { deleteTemplateOf } from "../../../flows/template/delete.ts";
import { ANY_TEMPLATE, readableTemplate } from "../../../flows/template/find.ts";
import { templatePage } from "../../../flows/template/list.ts";
import { changeTemplateOf } from "../../../flows/template/update.ts";
import type { PodRules } from "../../../flows/workload/pod-rules.ts";
import { pageRequest, paginationOf } from "../serve/cursor.ts";
import { cursorFilters, listFilter } from "../serve/list-filter.ts";
import { serveRestV2 } from "../serve/serve.ts";
import { newTemplateSettings, templateChanges, templateRead } from "./template-form.ts";

export function templateRoutes(app: FastifyInstance, deps: FlowDeps & PodRules): void {
  serveRestV2(app, templateOperations, {
    async createTemplate({ accountId, key, body, once }) {
      const template = { ...creatorOf(key), ...newTemplateSettings(body), once };
      return templateRead(accountId, await createTemplate(deps, template));
    },
    async listTemplates({ accountId, key, query }) {
      const filter = listFilter(query, key);
      const scope = { accountId, operation: "listTemplates", filters: cursorFilters(filter) };
      const page = await templatePage(deps, accountId, pageRequest(scope, query), filter);
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
