// The GraphQL view of a template.

import { writeDockerArgs } from "../../../domain/container/docker-args.ts";
import { isOfficial } from "../../../domain/template/official.ts";
import type { Template } from "../../../domain/template/template.ts";
import { templateRead } from "../../management/template/template-view.ts";
import { envList, labelList } from "../schema/input.ts";

export function graphqlTemplate(template: Template) {
  const { spec } = template;
  const portLabels = Object.entries(spec.portLabels ?? {});
  return {
    ...templateRead(template),
    userId: isOfficial(template) ? null : template.accountId,
    env: envList(spec.env),
    labels: labelList(template.labels),
    ports: spec.ports.join(","),
    portsConfig: portLabels.map(([port, name]) => ({ port, name })),
    dockerArgs: writeDockerArgs(spec),
    startSsh: spec.startSsh ?? false,
    startJupyter: spec.startJupyter ?? false,
    startScript: "",
    advancedStart: spec.advancedStart ?? false,
    config: spec.config ?? null,
    presentationOrder: null,
    boundEndpointId: template.boundTo ?? null,
  };
}

export type GraphqlTemplate = ReturnType<typeof graphqlTemplate>;
