// The first screen of `freehold dev`: the endpoint, and a command to paste.

import { readFileSync } from "node:fs";
import path from "node:path";
import { shellQuoted } from "../../base/text/shell-quote.ts";
import type { RunningService } from "../client/running-service.ts";
import type { ShownKey } from "../client/shown-key.ts";
import type { DevPlan } from "./plan.ts";

/** A longer line is not one to paste. */
const LONGEST_INPUT = 2_000;

export function devScreen(
  { origin }: RunningService,
  { quoted: key }: ShownKey,
  plan: DevPlan,
  endpointId: string,
): string {
  const url = `${origin}/v2/${endpointId}`;
  const body = shellQuoted(sampleBody(plan));
  const curl =
    `curl -s ${url}/runsync -H "authorization: ${key}" ` +
    `-H "content-type: application/json" -d ${body}`;
  const watched = path.relative(plan.cwd, plan.watched) || ".";
  const lines = [
    `endpoint  ${plan.name}   ${url}`,
    `runs      ${plan.command.join(" ")}`,
    `watches   ${watched}   a save starts a fresh worker; Ctrl-C stops`,
    "",
    `try it:   ${curl}`,
  ];
  return `${lines.map((line) => (line ? `  ${line}` : "")).join("\n")}\n\n`;
}

/** The job in test_input.json beside the handler, which the SDKs read too, or an empty one. */
function sampleBody({ watched }: DevPlan): string {
  try {
    const text = readFileSync(path.join(watched, "test_input.json"), "utf8");
    const { input } = JSON.parse(text) as { input?: unknown };
    const body = JSON.stringify({ input });
    if (typeof input === "object" && input && body.length <= LONGEST_INPUT) return body;
  } catch {}
  return '{"input":{}}';
}
