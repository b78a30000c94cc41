// GET /v1/jobs/export: all jobs that match a filter, as CSV or as one JSON object a line, sent while they are read.

import { addAbortSignal, Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import type { JobExportQuery } from "../../../contract/rest-v1/job/job.ts";
import { Fault } from "../../../domain/fault.ts";
import type { FlowDeps } from "../../../flows/flow-deps.ts";
import { matchingJobs, textsOfJob } from "../../../flows/job/export.ts";
import type { JobOnList } from "../../../flows/job/list.ts";
import { joinTexts } from "../../../flows/payload/join-text.ts";
import type { StreamDeps } from "../../management/deps.ts";
import { csvLine } from "../../management/serve/csv.ts";
import { filterOf } from "./job-filter.ts";
import { jobOnList } from "./job-view.ts";

type Pages = AsyncIterable<JobOnList[]>;

export interface JobExportDeps extends FlowDeps, Pick<StreamDeps, "revalidation"> {}

export function sendJobExport(
  deps: JobExportDeps,
  accountId: string,
  { format = "jsonl", ...query }: JobExportQuery,
  reply: FastifyReply,
): FastifyReply {
  const jobs = matchingJobs(deps, accountId, filterOf(query, deps.clock.now()));
  const lines = format === "csv" ? csvLines(jobs) : jsonLines(deps, jobs);
  const stream = Readable.from(lines, { objectMode: false });
  addAbortSignal(deps.revalidation.signalFor(reply), stream);
  return reply
    .header("content-type", format === "csv" ? "text/csv; charset=utf-8" : "application/x-ndjson")
    .header("content-disposition", `attachment; filename="jobs.${format}"`)
    .send(stream);
}

const columns = [
  "id",
  "endpointId",
  "status",
  "submittedAt",
  "startedAt",
  "finishedAt",
  "delayTime",
  "executionTime",
  "workerId",
  "retries",
  "cost",
  "error",
] as const;

async function* csvLines(pages: Pages): AsyncGenerator<string> {
  yield csvLine(columns);
  for await (const page of pages) {
    const rows = page.map((each) => jobOnList(each) as unknown as Record<string, unknown>);
    yield rows.map((row) => csvLine(columns.map((name) => row[name]))).join("");
  }
}

/** A job whose input was deleted while the others were sent is left out. */
async function* jsonLines({ store }: FlowDeps, pages: Pages): AsyncGenerator<string | Uint8Array> {
  for await (const page of pages) {
    let text = "";
    for (const each of page) {
      const line = await jsonLine(store, each);
      if (line === null) continue;
      if ("text" in line) text += oneLine(line.text);
      else {
        yield text;
        text = "";
        for await (const piece of line.pieces()) yield oneLineBytes(piece);
      }
      text += "\n";
    }
    yield text;
  }
}

async function jsonLine(store: FlowDeps["store"], each: JobOnList) {
  try {
    const { input, output } = await textsOfJob(store, each.job);
    const facts = JSON.stringify(jobOnList(each)).slice(0, -1);
    const result = output ? [',"output":', output] : [];
    return joinTexts(facts, ',"input":', input ?? "null", ...result, "}");
  } catch (error) {
    if (error instanceof Fault && error.code === "job_not_found") return null;
    throw error;
  }
}

/** A line break in a JSON text is always white space between two tokens. */
const oneLine = (text: string) => text.replace(/[\r\n]/g, " ");

const [SPACE, LINE_FEED, RETURN] = [32, 10, 13];
const oneLineBytes = (piece: Uint8Array) =>
  piece.map((byte) => (byte === LINE_FEED || byte === RETURN ? SPACE : byte));
