// `freehold login <url>`: checks a key with a remote Freehold, and keeps both as a context.

import { exitCodes, Refusal, UsageError } from "../../../base/refusal.ts";
import { call } from "../../client/api.ts";
import type { RunningService } from "../../client/running-service.ts";
import { Refused } from "../../client/service-request.ts";
import { LOCAL, readContexts, writeContexts } from "../../context/contexts.ts";
import { printDone } from "../../output/answer.ts";
import { addExamples, defineCommand } from "../../program/define-command.ts";
import { standardInput } from "../../program/json-argument.ts";

interface Values {
  key?: string;
  name?: string;
  json?: boolean;
  quiet?: boolean;
}

export const { usage, run } = defineCommand("login", (program) => {
  program
    .argument("<url>", "the address of the Freehold, such as https://cloud.example.org")
    .option("--key <key>", "the key; without it, it is asked for, or read from a pipe")
    .option("--name <name>", "the name of the context (default: the host's)")
    .option("--json", "the answer as JSON")
    .option("-q, --quiet", "print nothing");
  program.action(login);
  addExamples(program, "freehold login https://cloud.example.org --name lab");
});

async function login(address: string, values: Values): Promise<void> {
  const url = originOf(address);
  const name = values.name ?? new URL(url).hostname;
  if (name === LOCAL || !/^[\w.:[\]-]{1,64}$/.test(name)) {
    throw new UsageError(
      `--name is "${name}"; it takes letters, digits, ".", "_" and "-", not "${LOCAL}"`,
    );
  }
  const known = readContexts(process.env);
  const before = Object.hasOwn(known.contexts, name) ? known.contexts[name] : undefined;
  if (before && before.url !== url) {
    throw new UsageError(`the context "${name}" is at ${before.url}; choose another --name`);
  }
  const key = values.key ?? process.env.FREEHOLD_KEY ?? (await readKey(url));
  const account = await accountOf({ origin: url, key });
  const contexts = { ...known.contexts, [name]: { url, key } };
  writeContexts(process.env, { current: name, contexts });
  if (url.startsWith("http:") && !/^http:\/\/(127\.|localhost|\[::1\])/.test(url)) {
    process.stderr.write(
      "freehold: the address is http: the key crosses the network unencrypted\n",
    );
  }
  printDone(`${name} is the current context: ${account} at ${url}`, { name, url, account }, values);
}

function originOf(address: string): string {
  const text = address.includes("://") ? address : `https://${address}`;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash) {
    throw new UsageError(`"${address}" is not an address such as https://cloud.example.org`);
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
}

async function readKey(url: string): Promise<string> {
  if (!process.stdin.isTTY) return checked((await standardInput()).trim());
  const { isCancel, password } = await import("@clack/prompts");
  const typed = await password({ message: `API key for ${url}`, output: process.stderr });
  if (isCancel(typed)) process.exit(130);
  return checked(typed.trim());
}

function checked(key: string): string {
  if (key !== "" && !/\s/.test(key)) return key;
  throw new UsageError("login needs a key: --key, FREEHOLD_KEY or the standard input");
}

/** The name of the account. A key for queues only is valid, but cannot read it. */
async function accountOf(service: RunningService): Promise<string> {
  try {
    return (await call(service, "GET /v1/account")).name;
  } catch (error) {
    if (error instanceof Refused && error.status === 403) return "a key with limited permissions";
    if (error instanceof Refused && error.status === 401) {
      throw new Refusal(`${service.origin} does not know this key`, exitCodes.denied);
    }
    throw error;
  }
}
