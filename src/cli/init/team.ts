// Asks what a team's service needs to know, and writes freehold.json.

import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Refusal } from "../../base/refusal.ts";
import { readConfig } from "../../config/config.ts";
import { networkAddress } from "../../config/network/public-address.ts";
import { write } from "../output/answer.ts";

const FILE = "freehold.json";

/** In the order in which they are asked. */
const questions = {
  publicUrl: {
    option: "--public-url <url>",
    about: "the address that your team opens; this machine's on the network if left out",
    asks: "Which address does your team open? Enter for this machine's own",
    shown: () => `http://${networkAddress() ?? "cloud.example.org"}:8700`,
  },
  proxyDomain: {
    option: "--proxy-domain <domain>",
    about: "a domain whose subdomains all lead to this machine, for Pods' pages",
    asks: "Which domain has subdomains that all lead here? Enter if there is none",
    shown: () => "pods.example.org",
  },
  webhookAllow: {
    option: "--webhook-allow <hosts>",
    about: "hosts on your network that webhooks may call, comma-separated",
    asks: "Which hosts on your network may webhooks call? Enter for none",
    shown: () => "ci.lan,10.0.0.7",
  },
  data: {
    option: "--data <folder>",
    about: "where the service keeps its data, ./.freehold if left out",
    asks: "In which folder does the service keep its data?",
    shown: () => "./.freehold",
  },
} as const;

type Name = keyof typeof questions;
type Answers = Partial<Record<Name, string>>;

export const teamOptions = Object.values(questions);

export async function initTeam({
  force = false,
  ...options
}: Answers & { force?: boolean }): Promise<void> {
  const file = path.resolve(process.cwd(), FILE);
  if (existsSync(file) && !force) {
    throw new Refusal(`${file} exists; change it, or replace it with --force`);
  }
  const answers = process.stdin.isTTY ? await askFor(options) : options;
  const settings = Object.fromEntries(
    Object.entries({ team: "on", ...answers }).filter(([, answer]) => answer !== ""),
  );
  // Reports what would keep the service from starting, before anything is written. The folder is none, so that a file
  // that is to be replaced is not read.
  const { publicUrl } = readConfig(settings, {}, path.join(path.dirname(file), "none"));
  writeFileSync(file, `${JSON.stringify(settings, null, 2)}\n`, { flag: force ? "w" : "wx" });
  write(
    [
      `${FILE} is written. Your team's address is ${publicUrl}.`,
      "  start      freehold up",
      "  check      freehold doctor",
      "  invite     freehold invite ada@example.org",
      "",
    ].join("\n"),
  );
}

/** Asks what no option answers. */
async function askFor(options: Answers): Promise<Answers> {
  const { isCancel, text } = await import("@clack/prompts");
  const answers: Answers = {};
  for (const [name, { asks: message, shown }] of Object.entries(questions)) {
    const answer = options[name as Name];
    if (answer !== undefined) {
      answers[name as Name] = answer;
      continue;
    }
    const typed = await text({ message, placeholder: shown(), output: process.stderr });
    if (isCancel(typed)) process.exit(130);
    answers[name as Name] = (typed ?? "").trim();
  }
  return answers;
}
