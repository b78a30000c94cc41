// `freehold replay`: answers calls from a cassette.

import { systemClock } from "../../../base/clock.ts";
import { exitCodes } from "../../../base/refusal.ts";
import { readCassette } from "../../../cassette/format/read-cassette.ts";
import { createReplay } from "../../../cassette/replay/replayer.ts";
import { closeServer, listenOn } from "../../../cassette/server.ts";
import { defineCommand } from "../../program/define-command.ts";
import { serveClients } from "../../program/serve-clients.ts";

interface Values {
  listen?: string;
}

export const { usage, run } = defineCommand("replay", (program) => {
  program
    .argument("<cassette>", "a file of `freehold record`")
    .argument("[command...]", "after --, a command that is pointed here and ends the replay")
    .option("--listen <address>", "where clients connect (default: 127.0.0.1:8710)")
    .action(replay);
});

async function replay(file: string, command: string[], values: Values): Promise<void> {
  const cassette = readCassette(file);
  if (cassette.unfinishedLine !== null) {
    const line = `line ${cassette.unfinishedLine} of ${file} is unfinished and left out`;
    process.stderr.write(`freehold: ${line}\n`);
  }
  const onUnmatched = (sentence: string) => process.stderr.write(`freehold: ${sentence}\n`);
  const { server, counts } = createReplay(cassette, { now: systemClock.now, onUnmatched });
  const origin = await listenOn(server, values.listen);
  if (command.length === 0) process.stdout.write(`replays at ${origin}; Ctrl-C ends it\n`);
  await serveClients({ origin, key: "replay", close: () => closeServer(server) }, command);
  const { answered, unmatched } = counts();
  const rest = unmatched === 0 ? "" : `; ${unmatched} calls were not in the cassette`;
  const sentence = `${answered} of ${cassette.calls.length} recorded calls were answered${rest}`;
  process.stderr.write(`${sentence}\n`);
  if (unmatched > 0 && !process.exitCode) process.exitCode = exitCodes.unsuccessful;
}
