// A template as GraphQL clients read it.

import { writeDockerArgs } from "../../domain/pod/docker-args.ts";
import type { Template } from "../../domain/template/template.ts";
import { templateRead } from "../rest-v1/template-read.ts";
import { envList } from "./given.ts";

export function graphqlTemplate(template: Template) {
  const { spec } = template;
  const labels = Object.entries(spec.portLabels ?? {});
  return {
    ...templateRead(template),
    userId: template.accountId,
    env: envList(spec.env),
    ports: spec.ports.join(","),
    portsConfig: labels.map(([port, name]) => ({ port, name })),
    dockerArgs: writeDockerArgs(spec),
    startSsh: spec.startSsh ?? false,
    startJupyter: spec.startJupyter ?? false,
    startScript: "",
    advancedStart: spec.advancedStart ?? false,
    config: spec.config ?? null,
    presentationOrder: null,
    boundEndpointId: null,
  };
}
