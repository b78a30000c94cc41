// `freehold sandboxes exec <sandbox> -- command`: runs a command in a sandbox and prints what it writes.

import type { Command as Program } from "commander";
import { call } from "../client/api.ts";
import { serviceFor } from "../context/choose-service.ts";
import { printJson } from "../output/answer.ts";
import { addServiceOptions, type CommonValues } from "../program/common-options.ts";
import { findItem } from "../resources/find-item.ts";
import { resources } from "../resources/resource-table.ts";

/** The exit code of a command that was ended, as of a killed program. */
const ENDED = 137;

interface Values extends CommonValues {
  timeout?: string;
}

export function addSandboxExec(program: Program): void {
  const command = program
    .command("exec")
    .description("run a command in a sandbox; its exit code is the command's")
    .argument("<sandbox>", "an id or a name")
    .argument("<command...>", "the program and its arguments, after --")
    .optionsGroup("Options:")
    .option("--timeout <seconds>", "end the command after so long, 25; at most 50")
    .option("--json", "the answer as JSON");
  addServiceOptions(command).action(exec);
}

async function exec(word: string, command: string[], values: Values): Promise<void> {
  const service = await serviceFor(values);
  const { id } = await findItem(service, resources.sandboxes!, word);
  const { timeout } = values;
  const result = await call(service, "POST /v2/sandboxes/{sandboxId}/exec", {
    params: { sandboxId: id },
    body: { command, ...(timeout !== undefined && { timeoutSeconds: Number(timeout) }) },
  });
  if (values.json) printJson(result);
  else {
    process.stdout.write(result.stdout);
    process.stderr.write(result.stderr);
    if (result.truncated) process.stderr.write("freehold: the output was longer than this\n");
  }
  process.exitCode = result.exitCode ?? ENDED;
}
