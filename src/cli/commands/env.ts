// `freehold env`: shell variables that point unmodified clients at this Freehold. They cover
// interfaces that are not offered yet: a clear refusal from here is better than a request that
// reaches, and bills on, another provider.

import { UsageError } from "../../base/refusal.ts";
import type { RunningService } from "../client/running-service.ts";
import {
  type ClientApart,
  clientAdvice,
  clientsApart,
  clientVariables,
  type Interface,
  type Variable,
} from "../client-settings.ts";
import { serviceFor } from "../context/choose-service.ts";
import { write } from "../output/answer.ts";
import { addServiceOptions, type CommonValues } from "../program/common-options.ts";
import { addExamples, addNotes, defineCommand } from "../program/define-command.ts";
import { type Format, formats, shellLines } from "../shell-lines.ts";

export const { usage, run } = defineCommand("env", (program) => {
  addNotes(
    program,
    "Prints variables that point unmodified clients at this Freehold, for this shell. The Rust SDK",
    "reads RUNPOD_API_URL as the queue's address, and every other client as REST's.",
  );
  program
    .option(`--for <${clientsApart.join("|")}>`, "for this client (default: for all others)")
    .option(`--format <${formats.join("|")}>`, "for which reader", "sh");
  addServiceOptions(program).action(printVariables);
  addExamples(
    program,
    'eval "$(freehold env)"',
    "freehold env --format fish | source",
    "freehold env --format dotenv > .env",
  );
});

interface Values extends CommonValues {
  for?: string;
  format: string;
}

async function printVariables(values: Values): Promise<void> {
  const format = formats.find((each) => each === values.format);
  if (!format)
    throw new UsageError(`--format is "${values.format}"; it takes ${formats.join(", ")}`);
  const client = clientsApart.find((each) => each === values.for) ?? null;
  if (values.for !== undefined && !client)
    throw new UsageError(
      `--for is "${values.for}"; it takes ${clientsApart.join(", ")}, and every other client needs none`,
    );
  const service = await serviceFor(values, withoutService(process.env));
  write(await environment(service, format, client));
}

/** What an earlier `eval` set must not decide what this one sets. */
function withoutService({ FREEHOLD_URL, FREEHOLD_KEY, ...rest }: NodeJS.ProcessEnv) {
  return rest;
}

async function environment(
  service: RunningService,
  format: Format,
  client: ClientApart | null,
): Promise<string> {
  const { origin, key } = service;
  const variables = clientVariables(origin, key, client);
  const missing = await notOffered(service);
  const lead = `Freehold at ${origin}. Variables last as long as this shell.`;
  const advice = clientAdvice(origin);
  const width = Math.max(...advice.map(({ client }) => client.length));
  const comments = [
    lead,
    ...missing.map((each) => `${labels[each]} not offered yet; ${refused(variables, each)}.`),
    "Clients that need a line of code:",
    ...advice.map(({ client, line }) => `  ${client.padEnd(width)}  ${line}`),
  ];
  return shellLines(format, variables, comments);
}

const labels: Partial<Record<Interface, string>> = {
  graphql: "GraphQL is",
  rest: "REST is",
  "rest v2": "REST v2 is",
  console: "The console is",
  logs: "The service for logs is",
};

function refused(variables: Variable[], leadsTo: Interface): string {
  const names = variables.filter((each) => each.leadsTo === leadsTo).map(({ name }) => name);
  return `requests to these are refused: ${names.join(", ")}`;
}

/** The interfaces that the service does not answer, found by asking it. */
async function notOffered({ origin, key }: RunningService): Promise<Interface[]> {
  const probes: [Interface, string, RequestInit][] = [
    ["rest", "/v1/endpoints", {}],
    ["graphql", "/graphql", { method: "POST", body: '{"query":"{__typename}"}' }],
    ["rest v2", "/v2/catalog/gpus", {}],
    ["console", "/", {}],
  ];
  const headers = {
    authorization: `Bearer ${key}`,
    "content-type": "application/json",
    // The console answers browsers only.
    accept: "text/html, application/json",
  };
  const found = await Promise.all(
    probes.map(async ([name, path, request]) => {
      const { status, body } = await fetch(origin + path, { ...request, headers });
      await body?.cancel();
      return status === 404 || (name === "rest v2" && status === 400) ? name : null;
    }),
  );
  return [...found.filter((name) => name !== null), "logs"];
}
