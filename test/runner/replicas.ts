// The suites on client and worker behavior that are repeated against two replicas on one database. Left out are
// test/rest/keys.test.ts (the other replica accepts a revoked key for some milliseconds more) and test/rest/templates.test.ts (a load
// balancer may lose the refusal of a body that it is still forwarding).

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { allTestFiles, ROOT } from "./sets.ts";

const REPEATED =
  /^test\/(?:queue|workers|webhook|why)\/|^test\/sdk\/(?:js|python)-client\.|^test\/graphql\/(?:pods|serverless|vault|examples)\.|^test\/(?:pods|proxy)\/simulated\.|^test\/rest\/(?:authorization|endpoints|jobs|releases|workers)\.|^test\/accounts\/(?:fair-share|guarantees)\./;

const PARTS = 3;

export const repeatedFiles = (): string[] => allTestFiles().filter((file) => REPEATED.test(file));

/** A third of them, which the commit chooses: three commits in a row tend to cover all. */
export function repeatedPart(commit: string = headCommit()): string[] {
  const part = createHash("sha256").update(commit).digest().readUInt32BE() % PARTS;
  return repeatedFiles().filter((_, n) => n % PARTS === part);
}

function headCommit(): string {
  const { status, stdout } = spawnSync("git", ["rev-parse", "HEAD"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  return status === 0 ? stdout.trim() : "";
}
