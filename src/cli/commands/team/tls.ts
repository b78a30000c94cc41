// `freehold tls`: the root of the local authority, which clients install, and its replacement.

import { Refusal } from "../../../base/refusal.ts";
import { homeFor } from "../../options.ts";
import { addFolderOptions } from "../../program/common-options.ts";
import { addExamples, defineCommand } from "../../program/define-command.ts";

interface Values {
  data?: string;
  config?: string;
  bundle?: boolean;
}

export const { usage, run } = defineCommand("tls", (program) => {
  const root = program
    .command("root", { isDefault: true })
    .description("print the root of --tls local, to install it in clients; the default")
    .option("--bundle", "with the public roots, for variables that replace those");
  addFolderOptions(root).action((values: Values) =>
    printRoot(homeFor(values).dataFolder, values.bundle === true),
  );
  addExamples(root, "freehold tls root > freehold-root.pem");
  const replacement = program
    .command("new-root")
    .description("forget the root of a stopped service; each client installs the next one again");
  addFolderOptions(replacement).action((values: Values) => replaceRoot(homeFor(values)));
});

async function printRoot(dataFolder: string, isBundle: boolean): Promise<void> {
  const { fingerprintOf, readRoot } = await import("../../../config/certificate/own-files.ts");
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
  const { dropRoot } = await import("../../../certificates/local-authority/replace-root.ts");
  await dropRoot(home);
  process.stdout.write(
    "The root is gone. The next start creates another one; install it in each client: freehold tls root\n",
  );
}
