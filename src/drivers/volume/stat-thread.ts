// The thread of FileStats: looks at the files of a page of a list, one after another.

import { lstatSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { FACTS_PER_FILE, type StatReply, type StatRequest } from "./file-stats.ts";
import { isMissing } from "./missing.ts";

const OPTIONS = { bigint: true, throwIfNoEntry: false } as const;

parentPort!.on("message", ({ folder, names }: StatRequest) => {
  const facts = new BigInt64Array(names.length * FACTS_PER_FILE);
  let failure: StatReply["failure"] = null;
  for (const [n, name] of names.entries()) {
    try {
      const found = lstatSync(`${folder}/${name}`, OPTIONS);
      if (!found?.isFile()) continue;
      facts.set([1n, found.size, found.mtimeNs, found.ino], n * FACTS_PER_FILE);
    } catch (error) {
      const { code = "EIO", message } = error as NodeJS.ErrnoException;
      if (!isMissing(error)) failure ??= { code, message };
    }
  }
  parentPort!.postMessage({ facts, failure } satisfies StatReply, [facts.buffer]);
});
