// The container engine that tests of real images need.

import { get } from "node:http";

const DEFAULT = "unix:///var/run/docker.sock";
const TIMEOUT_MS = 5_000;

/**
 * For the option `skip` of a test that needs a container engine: false where one answers, else the reason. Where the
 * variable CI is set it rejects, so that such tests are not lost there.
 */
export async function skipWithoutEngine(): Promise<string | false> {
  const problem = await engineProblem();
  if (problem !== null && isCi()) throw new Error(problem);
  return problem ?? false;
}

/** Why no engine answers, or null. An address that needs TLS or SSH is left to the service. */
export function engineProblem(): Promise<string | null> {
  const { FREEHOLD_DOCKER_HOST, DOCKER_HOST, DOCKER_TLS_VERIFY } = process.env;
  const address = FREEHOLD_DOCKER_HOST || DOCKER_HOST || DEFAULT;
  const { protocol, hostname, port, pathname } = new URL(address);
  const isPlain = ["tcp:", "http:"].includes(protocol) && !DOCKER_TLS_VERIFY;
  if (protocol !== "unix:" && !isPlain) return Promise.resolve(null);
  const target =
    protocol === "unix:" ? { socketPath: pathname } : { host: hostname, port: port || 2_375 };
  return new Promise((resolve) => {
    const request = get({ ...target, path: "/_ping", timeout: TIMEOUT_MS }, (answer) => {
      answer.resume();
      const { statusCode } = answer;
      const refusal = `the container engine at ${address} answers ${statusCode}`;
      resolve(statusCode === 200 ? null : refusal);
    });
    request.on("timeout", () => request.destroy(new Error("no answer in time")));
    request.on("error", ({ message }) =>
      resolve(`no container engine answers at ${address}: ${message}`),
    );
  });
}

/** CI services set the variable CI. */
const isCi = () => !["", "0", "false"].includes((process.env.CI ?? "").toLowerCase());
