// `freehold ssh <pod>`: opens the system's ssh on a Pod; without SSH, a shell as `freehold exec` does.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { UsageError } from "../../../base/refusal.ts";
import type { RunningService } from "../../client/running-service.ts";
import { ask } from "../../client/service-request.ts";
import { serviceFor } from "../../context/choose-service.ts";
import { addServiceOptions, type CommonValues } from "../../program/common-options.ts";
import { addExamples, addNotes, defineCommand } from "../../program/define-command.ts";
import { idMeant } from "../../resources/find-any.ts";
import { execIn } from "../exec.ts";

export const { usage, run } = defineCommand("ssh", (program) => {
  addNotes(
    program,
    "Without an ssh program, an SSH key of the account or an SSH server of the Freehold, it runs the",
    "shell or the command as `freehold exec` does.",
  );
  program
    .argument("<pod>", "an id or a name")
    .argument("[command...]", "a command, or options of ssh, after -- (default: a shell)");
  addServiceOptions(program).action(
    async (word: string, command: string[], values: CommonValues) => {
      process.exitCode = await openSsh(word, command, values);
    },
  );
  addExamples(
    program,
    "freehold ssh box",
    "freehold ssh box -- nvidia-smi",
    "freehold ssh box -- -L 8888:localhost:8888",
  );
});

interface SshAddress {
  host: string;
  port: number;
  username: string;
}

async function openSsh(word: string, rest: string[], values: CommonValues): Promise<number> {
  const service = await serviceFor(values);
  const id = await idMeant(service, word, ["Pod"]);
  const address = await addressOf(service, id);
  const code = typeof address === "string" ? address : await runSsh(address, rest);
  if (typeof code === "number") return code;
  if (rest[0]?.startsWith("-")) throw new UsageError(`${code}, and ${rest[0]} is an option of ssh`);
  process.stderr.write(`${code}; running \`freehold exec\`\n`);
  return execIn(service, id, rest);
}

/** Why there is none as a text. */
async function addressOf(service: RunningService, id: string): Promise<SshAddress | string> {
  const path = `/v2/pods/${encodeURIComponent(id)}`;
  const pod = (await ask(service, "GET", path)) as { ssh: { proxy: SshAddress | null } };
  if (!pod.ssh.proxy) return "the SSH server is off, or the Pod does not run";
  const keys = (await ask(service, "GET", "/v1/ssh-keys")) as unknown[];
  return keys.length > 0 ? pod.ssh.proxy : "the account has no SSH key";
}

/** The exit code of ssh, or why it cannot run. Ctrl-C is for ssh alone. */
async function runSsh(
  { host, port, username }: SshAddress,
  rest: string[],
): Promise<number | string> {
  const words = ["-p", String(port), `${username}@${host}`, ...rest];
  const child = spawn("ssh", words, { stdio: "inherit" });
  const ignore = () => {};
  process.on("SIGINT", ignore);
  try {
    const [code] = await once(child, "close");
    return (code as number | null) ?? 255;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT")
      return "this machine has no ssh program";
    throw error;
  } finally {
    process.off("SIGINT", ignore);
  }
}
