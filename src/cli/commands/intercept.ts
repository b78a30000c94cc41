// `freehold intercept -- COMMAND`: runs a command whose hosted addresses lead to this Freehold.

import { lookup } from "node:dns";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { writeRootBundle } from "../../base/certificate/root-bundle.ts";
import { systemClock } from "../../base/clock.ts";
import { UsageError } from "../../base/refusal.ts";
import { type Authority, openAuthority } from "../../intercept/authority.ts";
import { childEnvironment } from "../../intercept/child-environment.ts";
import { certifiedNames } from "../../intercept/hosts.ts";
import { writeJavaTrustStore } from "../../intercept/java-trust-store.ts";
import { writeNodePreload } from "../../intercept/node-preload.ts";
import { type InterceptingProxy, startInterceptingProxy } from "../../intercept/proxy.ts";
import { writePythonPreload } from "../../intercept/python-preload.ts";
import { upstreamProxy } from "../../intercept/upstream-proxy.ts";
import { needService, type RunningService } from "../client/running-service.ts";
import { homeFor } from "../options.ts";
import { addReachOptions } from "../program/common-options.ts";
import { addExamples, addNotes, defineCommand } from "../program/define-command.ts";
import { runChild } from "../program/run-child.ts";

export const { usage, run } = defineCommand("intercept", (program, words) => {
  addNotes(
    program,
    "The command and its children reach Freehold under the hosted service's addresses. Every other",
    "host is reached as usual. Nothing is ever sent to the hosted service.",
  );
  program.argument("[command...]", "a program and its arguments, after --");
  // Options of the child would be taken for options of this command, and called unknown, where no separator is.
  const hasSeparator = words.includes("--");
  program.allowUnknownOption(!hasSeparator && !words[0]?.startsWith("-"));
  addReachOptions(program).action(async (command: string[], values: ReachValues) => {
    if (!hasSeparator || command.length === 0)
      throw new UsageError(
        "intercept takes a command after --, as in `freehold intercept -- python script.py`",
      );
    process.exitCode = await interceptChild(command, values);
  });
  addExamples(
    program,
    "freehold intercept -- python script.py",
    "freehold intercept -- terraform apply",
  );
});

interface ReachValues {
  data?: string;
  listen?: string;
  config?: string;
}

async function interceptChild(
  [program = "", ...rest]: string[],
  values: ReachValues,
): Promise<number> {
  const home = homeFor(values);
  const service = await needService(home);
  const authority = openAuthority(
    path.join(home.dataFolder, "intercept"),
    certifiedNames,
    systemClock,
  );
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-intercept-"));
  const proxy = await startInterceptingProxy({
    authority,
    origin: service.origin,
    upstream: upstreamProxy(process.env),
    lookup: () => lookup,
    onRefused: (host) =>
      process.stderr.write(`freehold: refused ${host}, an address of the hosted service\n`),
  });
  try {
    const environment = environmentFor(folder, authority, service, proxy);
    return await runChild(program, rest, environment);
  } finally {
    await proxy.close();
    rmSync(folder, { recursive: true });
  }
}

/** `folder` is this run's own, so that runs side by side share nothing but the authority. */
function environmentFor(
  folder: string,
  authority: Authority,
  { key }: RunningService,
  { address, tlsAddress }: InterceptingProxy,
): NodeJS.ProcessEnv {
  const certificate = path.join(folder, "ca-certificate.pem");
  writeFileSync(certificate, authority.certificate);
  const roots = writeRootBundle(folder, authority.certificate, process.env);
  return childEnvironment(process.env, {
    proxy: address,
    tlsAddress,
    nodePreload: writeNodePreload(folder),
    pythonPath: writePythonPreload(folder),
    roots,
    authority: certificate,
    trustStore: writeJavaTrustStore(folder, certificate, process.env),
    key,
  });
}
