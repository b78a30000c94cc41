// `freehold record`: passes calls on to another service, and writes them to a cassette.

import { systemClock } from "../../../base/clock.ts";
import { startRecording } from "../../../cassette/record/recording.ts";
import { addExamples, defineCommand } from "../../program/define-command.ts";
import { serveClients } from "../../program/serve-clients.ts";

interface Values {
  upstream: string[];
  output: string;
  listen?: string;
  force?: boolean;
}

const collect = (text: string, all: string[] = []) => [...all, text];

export const { usage, run } = defineCommand("record", (program) => {
  program
    .argument("[command...]", "after --, a command that is pointed here and ends the recording")
    .requiredOption(
      "--upstream <url>",
      "the service that answers; PATH=URL for the calls below a path, as in /graphql=URL",
      collect,
    )
    .requiredOption("-o, --output <cassette>", "the file to write")
    .option("--listen <address>", "where clients connect (default: 127.0.0.1:8710)")
    .option("--force", "replace the file if it exists")
    .action(record);
  addExamples(
    program,
    "freehold record --upstream https://api.example.org -o calls.json -- pytest",
  );
});

async function record(
  command: string[],
  { upstream, output, listen, force }: Values,
): Promise<void> {
  let calls = 0;
  const print = (line: string) => command.length === 0 && process.stdout.write(`${line}\n`);
  const spec = { upstreams: upstream, file: output, force, listen };
  const recording = await startRecording(spec, {
    clock: systemClock,
    onCall({ method, path, answer }) {
      calls++;
      print(`${method} ${path}  ${answer.status}`);
    },
    onProblem: (sentence) => process.stderr.write(`freehold: ${sentence}\n`),
  });
  const key = process.env.RUNPOD_API_KEY ?? process.env.FREEHOLD_KEY ?? "";
  print(`records at ${recording.origin}; Ctrl-C ends it`);
  await serveClients({ ...recording, key }, command);
  process.stderr.write(`${calls} calls are in ${output}\n`);
}
