// Routes of /v1/templates.

import type { FastifyInstance } from "fastify";
import { templateOperations } from "../../../contract/rest-v1/template/template.ts";
import { creatorOf } from "../../../domain/account.ts";
import { noLabels } from "../../../domain/label/labels.ts";
import type { TemplateChanges } from "../../../domain/template/change.ts";
import type { TemplateSpec } from "../../../domain/template/template.ts";
import type { FlowDeps } from "../../../flows/flow-deps.ts";
import { ownedBy, visibleTemplates } from "../../../flows/member/owner.ts";
import { createTemplate } from "../../../flows/template/create.ts";
import { deleteTemplateOf } from "../../../flows/template/delete.ts";
import { type Beyond, readableTemplate } from "../../../flows/template/find.ts";
import { templatesOf } from "../../../flows/template/list.ts";
import { changeTemplateOf } from "../../../flows/template/update.ts";
import type { PodRules } from "../../../flows/workload/pod-rules.ts";
import { labeledAs } from "../../management/serve/labels.ts";
import { serveOperations } from "../../management/serve/serve.ts";
import type { Whole } from "../../management/serve/take-fields.ts";
import { withPodRules } from "../../management/template/pod-rules.ts";
import { templateRead } from "../../management/template/template-view.ts";

interface IncludeFlags {
  includePublicTemplates?: boolean;
  includeRunpodTemplates?: boolean;
}

const beyond = (flags: IncludeFlags): Beyond => ({
  public: flags.includePublicTemplates ?? false,
  official: flags.includeRunpodTemplates ?? false,
});

export function templateRoutes(app: FastifyInstance, deps: FlowDeps & PodRules): void {
  serveOperations(app, templateOperations, {
    async createTemplate({ key, body, once }) {
      const { name, labels = noLabels, ...settings } = withPodRules(body);
      settings satisfies Whole<typeof settings, TemplateSpec>;
      const template = { ...creatorOf(key), name, labels, settings, once };
      return templateRead(await createTemplate(deps, template));
    },
    async listTemplates({ accountId, key, query }) {
      const bound = query.includeEndpointBoundTemplates ?? false;
      const templates = await templatesOf(deps, { accountId, bound, ...beyond(query) });
      const listed =
        query.createdBy === undefined
          ? visibleTemplates(templates, key)
          : ownedBy(templates, query.createdBy, key);
      return labeledAs(query, listed).map(templateRead);
    },
    async getTemplate({ accountId, params, query }) {
      const { templateId } = params;
      return templateRead(await readableTemplate(deps, accountId, templateId, beyond(query)));
    },
    async updateTemplate({ accountId, params, body }) {
      const changes = withPodRules(body);
      changes satisfies Whole<typeof changes, TemplateChanges>;
      const update = { accountId, id: params.templateId, changes };
      return templateRead(await changeTemplateOf(deps, update));
    },
    async deleteTemplate({ accountId, params }) {
      await deleteTemplateOf(deps, accountId, params.templateId);
    },
  });
}
