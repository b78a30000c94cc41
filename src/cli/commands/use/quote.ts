// `freehold quote`: what a Pod, an endpoint or a network volume costs before it is created, and whether it fits.

import type { Command as Program } from "commander";
import type { Quote } from "../../../contract/rest-v1/quote/quote.ts";
import { ask } from "../../client/service-request.ts";
import { serviceFor } from "../../context/choose-service.ts";
import { printJson, write } from "../../output/answer.ts";
import { plainText, tableText } from "../../output/table.ts";
import { addCommonOptions, type CommonValues } from "../../program/common-options.ts";
import { defineCommand } from "../../program/define-command.ts";
import { dollars, hardware } from "../../resources/cells.ts";
import { bodySchema } from "../../resources/resource.ts";
import { resources } from "../../resources/resource-table.ts";
import { addSchemaOptions, bodyFrom } from "../../resources/schema-options.ts";

/** What is quoted: its resource, and the member of the request. */
const quoted = {
  pod: { resource: "pods", member: "pod" },
  endpoint: { resource: "endpoints", member: "endpoint" },
  volume: { resource: "volumes", member: "networkVolume" },
} as const;

const HOURS_PER_MONTH = 730;

export const { usage, run } = defineCommand("quote", async (program, words) => {
  for (const [word, { resource, member }] of Object.entries(quoted)) {
    const kind = resources[resource]!;
    const command = program.command(word).description(`what one ${kind.noun} costs`);
    await addQuote(command, member, words[0] === word ? await bodySchema(kind, kind.create!) : {});
  }
});

/** The options are those of `create`. */
async function addQuote(program: Program, member: string, schema: object): Promise<void> {
  addSchemaOptions(program, schema);
  addCommonOptions(program).action(async (values: CommonValues & Record<string, unknown>) => {
    const service = await serviceFor(values);
    const body = { [member]: await bodyFrom(values, schema) };
    const quote = (await ask(service, "POST", "/v1/quote", body)) as Quote;
    if (values.json) printJson(quote);
    else if (values.quiet) write(`${quote.totalPerHr}\n`);
    else write(quoteText(quote));
  });
}

function quoteText(quote: Quote): string {
  const { gpuTypeId, gpuCount = 0, cpuFlavorId, alternatives } = quote;
  const compute = cpuFlavorId ? `CPU ${cpuFlavorId}` : hardware(gpuTypeId, gpuCount);
  const shown = quote.kind === "networkVolume" ? [] : [plainText(compute)];
  const others = alternatives.map(
    (other) =>
      `${plainText(other.gpuTypeId)}: ${dollars(other.costPerHr)} per hour, ${other.available ? "available" : "not available"}`,
  );
  const blocks = [
    shown,
    [costTable(quote).trimEnd()],
    others.length > 0 ? ["Other GPU types:", ...others.map((line) => `  ${line}`)] : [],
    availability(quote),
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function costTable(quote: Quote): string {
  const isEndpoint = quote.kind === "endpoint";
  const rows: [name: string, perHr: number | undefined][] = [
    ["compute", quote.costPerHr || undefined],
    ["less savings plans", quote.adjustedCostPerHr],
    ["disks", quote.disksPerHr],
    [isEndpoint ? "one worker" : "total", quote.totalPerHr],
    ["stopped", quote.stoppedPerHr],
    ["fewest workers", quote.leastPerHr],
    ["all workers", quote.mostPerHr],
  ];
  const shown = rows.filter((row): row is [string, number] => row[1] !== undefined);
  return tableText(
    shown,
    [
      ["COST", ([name]) => name],
      ["HOUR", ([, perHr]) => dollars(perHr)],
      ["DAY", ([, perHr]) => dollars(perHr * 24)],
      ["MONTH", ([, perHr]) => dollars(perHr * HOURS_PER_MONTH)],
    ],
    process.stdout,
  );
}

function availability({ available, why = [], refused }: Quote): string[] {
  const room = available ? "A machine has room for it now." : "No machine has room for it now.";
  const reasons = why.map(({ machineId, reason }) => `  machine ${machineId}: ${reason}`);
  return [room, ...reasons, ...(refused ? [`It would be refused: ${refused.error}`] : [])].map(
    plainText,
  );
}
