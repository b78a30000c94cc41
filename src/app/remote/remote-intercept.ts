// What the workloads of other machines get beside their own settings.

import type { Intercept } from "../../drivers/driver.ts";
import { blockHosted } from "../machine/container-interception.ts";
import { trustRoot } from "../machine/trust-root.ts";
import type { ManageDeps } from "./managed-machine.ts";

/** Hosted addresses lead nowhere there, if they are intercepted, and containers trust the local authority. */
export function remoteIntercept(
  { config, localRoot, env }: ManageDeps["parts"],
  driver: string,
): Intercept {
  const trusting = localRoot && trustRoot(localRoot, driver, env);
  return async (name, workload) => {
    const complete = trusting ? await trusting(name, workload) : workload;
    return config.interceptContainers ? blockHosted(complete) : complete;
  };
}
