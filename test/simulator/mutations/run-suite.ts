// Runs the test that must find a planted bug, with the bug in each process that it starts.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { pathToFileURL } from "node:url";
import { ROOT } from "../../runner/sets.ts";
import { mutations } from "./catalog.ts";

const preload = pathToFileURL(`${import.meta.dirname}/preload.mjs`);

/** Whether the test fails. */
export async function suiteFinds(mutation: string): Promise<boolean> {
  const { file, test } = mutations[mutation]!.suite!;
  const pattern = test === "" ? [] : [`--test-name-pattern=${test}`];
  const child = spawn(process.execPath, [`${ROOT}/bin/test.mjs`, file, ...pattern], {
    env: {
      ...process.env,
      FREEHOLD_MUTATION: mutation,
      // A command with this option starts from the sources, where the fault is planted, and not from a bundle.
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ""} --import=${preload}`,
    },
    stdio: ["ignore", "pipe", "ignore"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    output += text;
  });
  await once(child, "close");
  return /^failed +[1-9]/m.test(output);
}
