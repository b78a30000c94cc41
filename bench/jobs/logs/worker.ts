// A worker process of bench/jobs/logs/main.ts. For each job it prints four lines, as a worker library and its handler do,
// or four such lines that belong to no job, or none.

import { Connection, requestText } from "../connection.ts";

const { RUNPOD_WEBHOOK_GET_JOB = "", RUNPOD_WEBHOOK_POST_OUTPUT = "" } = process.env;
const { RUNPOD_POD_ID = "", RUNPOD_AI_API_KEY = "" } = process.env;

interface Job {
  id: string;
  input: { print: "lines of the job" | "other lines" | "nothing" };
}

function line(requestId: string | null, message: string): string {
  return `${JSON.stringify({ requestId, message, level: "INFO" })}\n`;
}

const steps = [1, 2].map((n) => `step ${n} of 2: loss=0.1234 images=16 seconds=1.5`);

function linesOf({ id, input: { print } }: Job): string {
  if (print === "nothing") return "";
  if (print === "other lines")
    return ["Started.", ...steps, "Finished."].map((text) => line(null, text)).join("");
  return line(id, "Started.") + steps.map((text) => `${text}\n`).join("") + line(id, "Finished.");
}

const take = new URL(RUNPOD_WEBHOOK_GET_JOB.replaceAll("$ID", RUNPOD_POD_ID));
const done = new URL(RUNPOD_WEBHOOK_POST_OUTPUT.replaceAll("$RUNPOD_POD_ID", RUNPOD_POD_ID));
const takeText = requestText("GET", take.pathname + take.search, RUNPOD_AI_API_KEY);
const connection = await Connection.open(Number(take.port));
for (;;) {
  const { status, body } = await connection.send(takeText);
  if (status === 204) continue;
  if (status !== 200) throw new Error(`job-take: ${status} ${body}`);
  const job: Job = JSON.parse(body);
  process.stdout.write(linesOf(job));
  const path = done.pathname.replace(/\$ID|%24ID/, job.id) + done.search;
  const form = "application/x-www-form-urlencoded";
  const result = '{"output":{"ok":true}}';
  const reply = await connection.send(requestText("POST", path, RUNPOD_AI_API_KEY, result, form));
  if (reply.status !== 200) throw new Error(`job-done: ${reply.status} ${reply.body}`);
}
