// `freehold jobs export`: all jobs that match filters, as JSON Lines or CSV.

import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Command as Program } from "commander";
import { exitCodes, Refusal } from "../../base/refusal.ts";
import { send } from "../client/service-request.ts";
import { serviceFor } from "../context/choose-service.ts";
import { addServiceOptions, type CommonValues } from "../program/common-options.ts";
import { addJobFilters, jobFilterFrom } from "./job-filters.ts";

type Values = CommonValues & { format?: string; output?: string } & Record<string, unknown>;

export function addJobExport(program: Program): void {
  const command = program.command("export").description("print all jobs that match, oldest first");
  command
    .optionsGroup("Output:")
    .option("--format <format>", "jsonl, with inputs and outputs, or csv, without")
    .option("-o, --output <file>", "write to this file");
  addJobFilters(command);
  addServiceOptions(command).action(exportJobs);
}

async function exportJobs(values: Values): Promise<void> {
  const service = await serviceFor(values);
  const { format, output } = values;
  const filter = (await jobFilterFrom(service, values)) as Record<string, string>;
  const query = new URLSearchParams({ ...filter, ...(format !== undefined && { format }) });
  const { body } = await send(service, `/v1/jobs/export?${query}`, {});
  try {
    const source = Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]);
    if (output === undefined) await pipeline(source, process.stdout, { end: false });
    else await pipeline(source, createWriteStream(output));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "EPIPE") return; // the reader, such as head, has read enough
    throw new Refusal(`the export is incomplete: ${message}`, exitCodes.unreachable);
  }
}
