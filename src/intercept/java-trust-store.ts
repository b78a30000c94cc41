// A Java trust store with Java's own roots and the local authority, written by Java's keytool.

import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, realpathSync } from "node:fs";
import path from "node:path";

/** Returns the path of the store, or null if this machine has no Java. */
export function writeJavaTrustStore(
  folder: string,
  authorityFile: string,
  environment: NodeJS.ProcessEnv,
): string | null {
  const home = javaHome(environment);
  const roots = home && path.join(home, "lib", "security", "cacerts");
  if (!home || !roots || !existsSync(roots)) return null;
  const store = path.join(folder, "java-roots");
  copyFileSync(roots, store);
  const change = ["-keystore", store, "-storepass", "changeit", "-noprompt"];
  const add = ["-importcert", "-alias", "freehold-intercept", "-file", authorityFile];
  execFileSync(path.join(home, "bin", "keytool"), [...add, ...change], { stdio: "pipe" });
  return store;
}

function javaHome({ JAVA_HOME, PATH }: NodeJS.ProcessEnv): string | null {
  if (JAVA_HOME && existsSync(path.join(JAVA_HOME, "bin", "keytool"))) return JAVA_HOME;
  for (const folder of (PATH ?? "").split(path.delimiter)) {
    const tool = path.join(folder, "keytool");
    if (folder && existsSync(tool)) return path.dirname(path.dirname(realpathSync(tool)));
  }
  return null;
}
