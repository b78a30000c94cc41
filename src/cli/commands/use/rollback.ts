// `freehold rollback`: a new release of an endpoint that runs what an earlier one ran.

import { exitCodes, Refusal, UsageError } from "../../../base/refusal.ts";
import { call } from "../../client/api.ts";
import { serviceFor } from "../../context/choose-service.ts";
import { printDone, write } from "../../output/answer.ts";
import { addCommonOptions, type CommonValues } from "../../program/common-options.ts";
import { addExamples, defineCommand } from "../../program/define-command.ts";
import { findItem } from "../../resources/find-item.ts";
import { resources } from "../../resources/resource-table.ts";

export const { usage, run } = defineCommand("rollback", (program) => {
  program.argument("<endpoint>", "an id or a name");
  program.argument("[version]", "the release to return to (default: the one before the current)");
  addCommonOptions(program).action(rollBack);
  addExamples(program, "freehold rollback shop", "freehold rollback shop 3");
});

async function rollBack(
  word: string,
  wanted: string | undefined,
  values: CommonValues,
): Promise<void> {
  if (wanted !== undefined && !/^\d{1,9}$/.test(wanted))
    throw new UsageError(`a version is a number, such as 3; "${wanted}" is not`);
  const service = await serviceFor(values);
  const { id: endpointId } = await findItem(service, resources.endpoints!, word);
  const version = wanted ?? (await versionBefore(service, endpointId));
  const endpoint = await call(
    service,
    "POST /v1/endpoints/{endpointId}/releases/{version}/rollback",
    { params: { endpointId, version } },
  );
  if (values.quiet && !values.json) write(`${endpoint.version}\n`);
  const sentence = `endpoint ${endpointId} runs release ${endpoint.version}, which is release ${version} again`;
  printDone(sentence, endpoint, values);
}

async function versionBefore(
  service: Awaited<ReturnType<typeof serviceFor>>,
  endpointId: string,
): Promise<string> {
  const params = { endpointId };
  const releases = await call(service, "GET /v1/endpoints/{endpointId}/releases", { params });
  const before = releases[1];
  if (before) return `${before.version}`;
  throw new Refusal(`endpoint ${endpointId} has no earlier release`, exitCodes.notFound);
}
