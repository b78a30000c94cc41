// Programs that are run on a machine over SSH, and stopped.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { systemClock } from "../../src/base/clock.ts";
import { SshLink } from "../../src/drivers/ssh/link.ts";
import { runOverSsh } from "../../src/drivers/ssh/remote-run.ts";
import { until } from "../fixtures/until.ts";
import { missingSshd as skip, TestSshd } from "./sshd.ts";

test("a program that is stopped ends on the machine too, with the programs that it started", {
  skip,
}, async (t) => {
  const sshd = await TestSshd.start(t);
  const { user, port, identity } = sshd;
  const link = new SshLink({
    clock: systemClock,
    target: { user, host: "127.0.0.1", port, keys: [identity], agent: null },
    trust: { known: async () => null, trustOnFirstUse: async (hostKey) => hostKey },
  });
  t.after(() => link.close());
  const run = runOverSsh(link);
  const started = path.join(sshd.folder, "started");
  const script = `echo $$ > ${started}.new && mv ${started}.new ${started} && exec sleep 1000`;
  const stopped = new AbortController();
  const end = run("timeout", ["900", "sh", "-c", script], "", stopped.signal);
  const rejected = assert.rejects(end);
  await until(() => existsSync(started));
  stopped.abort();
  await rejected;
  await until(() => !existsSync(`/proc/${Number(readFileSync(started, "utf8"))}`));
  assert.equal(await run("echo", ["it", "still", "runs"]), "it still runs\n");
  await assert.rejects(run("no-such-program", []), { code: "ENOENT" });
});
