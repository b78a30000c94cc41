// `freehold diff`: runs the calls of a cassette against a service, and reports what differs.

import { systemClock } from "../../../base/clock.ts";
import { exitCodes, UsageError } from "../../../base/refusal.ts";
import type { Difference } from "../../../cassette/diff/compare.ts";
import { type ComparedCall, type DiffTarget, runCalls } from "../../../cassette/diff/run-calls.ts";
import { readCassette } from "../../../cassette/format/read-cassette.ts";
import { SessionIds } from "../../../cassette/normal/session-ids.ts";
import type { RunningService } from "../../client/running-service.ts";
import { type ServiceChoice, serviceFor } from "../../context/choose-service.ts";
import { printJson, write } from "../../output/answer.ts";
import { plainText } from "../../output/table.ts";
import { addServiceOptions } from "../../program/common-options.ts";
import { defineCommand } from "../../program/define-command.ts";

interface Values extends ServiceChoice {
  against?: string;
  key?: string;
  bind?: string[];
  wait: string;
  strict?: boolean;
  json?: boolean;
}

const collect = (text: string, all: string[] = []) => [...all, text];

export const { usage, run } = defineCommand("diff", (program) => {
  program
    .argument("<cassette>", "a file of `freehold record`")
    .option("--against <url>", "the service to call, with --key, FREEHOLD_KEY or RUNPOD_API_KEY")
    .option("--key <key>", "the key for --against")
    .option("--bind <old=new>", "what a name of the cassette is there (repeatable)", collect)
    .option("--wait <seconds>", "repeat a read until its answer is as recorded", "10")
    .option("--strict", "members that are new count as differences")
    .option("--json", "the differences as JSON");
  addServiceOptions(program).action(diff);
});

async function diff(file: string, values: Values): Promise<void> {
  const { calls } = readCassette(file);
  const service = await serviceOf(values);
  const target: DiffTarget = {
    ...service,
    names: namesOf(values.bind ?? []),
    patienceMs: 1_000 * secondsOf(values.wait),
  };
  const counts = (each: Difference) => each.kind !== "added" || values.strict === true;
  const found: ComparedCall[] = [];
  for await (const compared of runCalls(calls, target, systemClock)) {
    if (compared.differences.length === 0) continue;
    found.push(compared);
    if (!values.json) write(textOf(compared, counts));
  }
  const differences = found.flatMap((each) => each.differences).filter(counts).length;
  if (values.json) printJson(found.map(({ call, ...rest }) => ({ ...nameOf(call), ...rest })));
  else write(`${calls.length} calls, ${differences} differences\n`);
  if (differences > 0) process.exitCode = exitCodes.unsuccessful;
}

async function serviceOf({ against, key, ...choice }: Values): Promise<RunningService> {
  if (against === undefined) {
    if (key !== undefined) throw new UsageError("--key is for --against; name a URL");
    return serviceFor(choice);
  }
  const own = key ?? process.env.FREEHOLD_KEY ?? process.env.RUNPOD_API_KEY;
  if (!own) throw new UsageError("--against needs a key: --key, FREEHOLD_KEY or RUNPOD_API_KEY");
  if (!URL.canParse(against) || !/^https?:/.test(against))
    throw new UsageError(`--against is "${against}"; it takes a URL such as http://127.0.0.1:8700`);
  return { origin: against.replace(/\/+$/, ""), key: own };
}

function namesOf(texts: string[]): SessionIds {
  const names = new SessionIds();
  for (const text of texts) {
    const [, before, after] = /^([\w-]+)=([\w-]+)$/.exec(text) ?? [];
    if (!before || !after)
      throw new UsageError(`--bind is "${text}"; it takes OLD=NEW, such as k3j2h1=shop`);
    names.know(before, after);
  }
  return names;
}

function secondsOf(text: string): number {
  const seconds = Number(text);
  if (text.trim() !== "" && seconds >= 0 && seconds < 1e6) return seconds;
  throw new UsageError(`--wait is "${text}"; it takes a number of seconds`);
}

const nameOf = ({ method, path }: ComparedCall["call"]) => ({ method, path });

function textOf(
  { number, call, differences }: ComparedCall,
  counts: (each: Difference) => boolean,
): string {
  const lines = differences.map(
    (each) => `  ${counts(each) ? "-" : "+"} ${plainText(each.sentence)}\n`,
  );
  return `call ${number}, ${plainText(`${call.method} ${call.path}`)}\n${lines.join("")}`;
}
