// `freehold env`: the variables that point unmodified clients at this Freehold, for a shell to take
// over. A client whose interface is not offered yet is pointed here as well: a clear refusal from
// here is better than a call that reaches, and bills, somebody else.

import { parseArgs } from "node:util";
import { Refusal } from "../refusal.ts";
import { clientAdvice, clientVariables, type Interface, type Variable } from "./client-settings.ts";
import { homeFor, reachOptions, reachUsage, readOptions } from "./options.ts";
import { needService, type Service } from "./service.ts";
import { type Format, formats, shellLines } from "./shell-lines.ts";

export const usage = `  eval "$(freehold env)"                  in sh, bash and zsh
  freehold env --format fish | source     in fish
  freehold env --format dotenv > .env     for whatever reads .env files

  --format FORMAT   ${formats.join(", ")}; sh if left out
${reachUsage}`;

export async function run(args: string[]): Promise<undefined> {
  const options = { ...reachOptions, format: { type: "string", default: "sh" } } as const;
  const { values } = readOptions("env", options, () => parseArgs({ args, options }));
  const format = formats.find((each) => each === values.format);
  if (!format) throw new Refusal(`--format is "${values.format}"; it takes ${formats.join(", ")}`);
  process.stdout.write(await environment(await needService(homeFor(values)), format));
  return undefined;
}

async function environment(service: Service, format: Format): Promise<string> {
  const { origin, key } = service;
  const variables = clientVariables(origin, key);
  const missing = await notOffered(service);
  const lead = `Freehold at ${origin}. Variables last as long as this shell.`;
  const advice = clientAdvice(origin);
  const width = Math.max(...advice.map(({ client }) => client.length));
  const comments = [
    lead,
    ...missing.map((each) => `${labels[each]} not offered yet; ${refused(variables, each)}.`),
    "Clients that want a line of code:",
    ...advice.map(({ client, line }) => `  ${client.padEnd(width)}  ${line}`),
  ];
  return shellLines(format, variables, comments);
}

const labels: Partial<Record<Interface, string>> = {
  graphql: "GraphQL is",
  rest: "REST is",
  console: "The console is",
  logs: "The service for logs is",
};

function refused(variables: Variable[], leadsTo: Interface): string {
  const names = variables.filter((each) => each.leadsTo === leadsTo).map(({ name }) => name);
  return `these lead to a refusal: ${names.join(", ")}`;
}

/** The interfaces that nothing answers for, asked of the service itself. */
async function notOffered({ origin, key }: Service): Promise<Interface[]> {
  const probes: [Interface, string, RequestInit][] = [
    ["rest", "/v1/endpoints", {}],
    ["graphql", "/graphql", { method: "POST", body: '{"query":"{__typename}"}' }],
    ["console", "/", {}],
  ];
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const found = await Promise.all(
    probes.map(async ([name, path, request]) => {
      const { status, body } = await fetch(origin + path, { ...request, headers });
      await body?.cancel();
      return status === 404 ? name : null;
    }),
  );
  return [...found.filter((name) => name !== null), "logs"];
}
