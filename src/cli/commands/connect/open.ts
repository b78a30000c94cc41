// `freehold open [id]`: opens the console, or the page of one resource, in a browser.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { serviceFor } from "../../context/choose-service.ts";
import { printJson, write } from "../../output/answer.ts";
import { addServiceOptions, type CommonValues } from "../../program/common-options.ts";
import { defineCommand } from "../../program/define-command.ts";
import { findAny } from "../../resources/find-any.ts";

interface Values extends CommonValues {
  print?: boolean;
}

export const { usage, run } = defineCommand("open", (program) => {
  program
    .argument("[id]", "a job's or worker's id, or the id or name of a Pod or an endpoint")
    .optionsGroup("Options:")
    .option("--print", "print the address and open nothing")
    .option("-q, --quiet", "open it and print nothing")
    .option("--json", "the address as JSON");
  addServiceOptions(program).action(open);
});

const pages = { job: "jobs", Pod: "pods", worker: "workers", endpoint: "serverless" };

async function open(word: string | undefined, values: Values): Promise<void> {
  const service = await serviceFor(values);
  let url = `${service.origin}/`;
  if (word !== undefined) {
    const kinds = Object.keys(pages) as (keyof typeof pages)[];
    const { kind, item } = await findAny(service, word, kinds);
    url = `${url}${pages[kind]}/${encodeURIComponent(item.id)}`;
  }
  if (values.json) printJson({ url });
  else if (!values.quiet) write(`${url}\n`);
  if (!values.print) await openInBrowser(url);
}

/** Without a browser the printed address is enough. */
async function openInBrowser(url: string): Promise<void> {
  const program = { darwin: "open", win32: "explorer" }[process.platform as string] ?? "xdg-open";
  const child = spawn(program, [url], { stdio: "ignore", detached: true });
  await Promise.race([once(child, "spawn"), once(child, "error")]).catch(() => {});
  child.unref();
}
