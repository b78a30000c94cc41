// `freehold tls`: the root of the local authority, which clients install, and its replacement.

import { parseArgs } from "node:util";
import { Refusal, UsageError } from "../../../base/refusal.ts";
import { homeFor, readOptions } from "../../options.ts";

export const usage = `  freehold tls root             print the root of --tls local, to install it in clients
  freehold tls root --bundle    with the public roots, for variables that replace those
  freehold tls new-root         forget the root while the service is stopped; the next start creates
                                another one, which each client installs again

  --data FOLDER     the data folder, ./.freehold
  --config FILE     the settings' file, ./freehold.json
`;

const options = {
  data: { type: "string" },
  config: { type: "string" },
  bundle: { type: "boolean", default: false },
} as const;

export async function run(args: string[]): Promise<undefined> {
  const { values, positionals } = readOptions("tls", options, () =>
    parseArgs({ args, options, allowPositionals: true }),
  );
  const [name = "root", ...more] = positionals;
  if (!["root", "new-root"].includes(name) || more.length > 0) {
    throw new UsageError(`tls has no subcommand "${positionals.join(" ")}"; it has root, new-root`);
  }
  const home = homeFor(values);
  if (name === "root") await printRoot(home.dataFolder, values.bundle);
  else await replaceRoot(home);
  return undefined;
}

async function printRoot(dataFolder: string, isBundle: boolean): Promise<void> {
  const { fingerprintOf, readRoot } = await import("../../../app/tls/own-files.ts");
  const root = readRoot(dataFolder);
  if (root === null) {
    throw new Refusal(
      `${dataFolder} has no root of a local authority; \`freehold up --tls local\` creates it`,
    );
  }
  // Beside the output, which usually becomes a file.
  process.stderr.write(`SHA-256 ${fingerprintOf(root)}\ndocs/tls.md says how to install it.\n`);
  if (!isBundle) return void process.stdout.write(root);
  const { rootBundle } = await import("../../../base/certificate/root-bundle.ts");
  process.stdout.write(rootBundle(root, process.env));
}

async function replaceRoot(home: ReturnType<typeof homeFor>): Promise<void> {
  const { dropRoot } = await import("../../../app/local-authority/replace-root.ts");
  await dropRoot(home);
  process.stdout.write(
    "The root is gone. The next start creates another one; install it in each client: freehold tls root\n",
  );
}
