// An environment in which `node` is the machine's own, not the newer one that npm puts first.

import path from "node:path";

export const machineEnv: NodeJS.ProcessEnv = {
  ...process.env,
  PATH: (process.env.PATH ?? "")
    .split(path.delimiter)
    .filter((folder) => !folder.includes("node_modules"))
    .join(path.delimiter),
};
