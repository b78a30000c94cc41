// Containers trust the root of the local authority: they get it as files, and the variables by which common runtimes read
// them. A variable that the workload sets itself is kept.

import { rootBundle } from "../../base/certificate/root-bundle.ts";
import type { Intercept, Workload } from "../../drivers/driver.ts";

const FOLDER = "/etc/freehold";
/** The root with the public ones, for variables that replace them. */
const ROOTS = `${FOLDER}/roots.pem`;
const ROOT = `${FOLDER}/root.pem`;

const VARIABLES = {
  SSL_CERT_FILE: ROOTS,
  REQUESTS_CA_BUNDLE: ROOTS,
  CURL_CA_BUNDLE: ROOTS,
  NODE_EXTRA_CA_CERTS: ROOT,
};

/** For the workloads of one driver, which puts files into containers. */
export function trustRoot(
  root: () => string,
  driverName: string,
  env: Record<string, string | undefined>,
): Intercept {
  return async (driver, workload) => {
    if (driver !== driverName) return workload;
    const certificate = root();
    const files = [
      { path: ROOTS, content: rootBundle(certificate, env) },
      { path: ROOT, content: certificate },
    ];
    return withFiles(workload, files);
  };
}

const withFiles = (workload: Workload, files: NonNullable<Workload["files"]>): Workload => ({
  ...workload,
  env: { ...VARIABLES, ...workload.env },
  files: [...(workload.files ?? []), ...files],
});
