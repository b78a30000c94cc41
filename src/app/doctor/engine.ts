// Whether a container engine answers. Only told: nothing needs one yet.

import { request } from "node:http";
import type { Finding } from "./finding.ts";

const about = "containers";

export async function lookAtEngine(dockerHost: string | undefined): Promise<Finding> {
  const socketPath = dockerHost?.startsWith("unix://")
    ? dockerHost.slice("unix://".length)
    : "/var/run/docker.sock";
  if (dockerHost && !dockerHost.startsWith("unix://")) {
    return {
      level: "ok",
      about,
      says: `DOCKER_HOST is ${dockerHost}; containers are not offered yet`,
    };
  }
  const answers = await new Promise<boolean>((resolve) => {
    const call = request({ socketPath, path: "/_ping", timeout: 2_000 }, (reply) => {
      reply.resume();
      resolve(reply.statusCode === 200);
    });
    call.on("timeout", () => call.destroy());
    call.on("error", () => resolve(false));
    call.end();
  });
  const says = answers ? `an engine answers at ${socketPath}` : "no engine answers";
  return {
    level: "ok",
    about,
    says: `${says}; workers run as processes, containers are not offered yet`,
  };
}
