// Requests to Podman's own interface, over the connection of the Docker-compatible one. The engine's caller limits them, as it
// does Docker's.

import type Dockerode from "dockerode";

/** Understood by Podman 4 and later. */
const PREFIX = "/v4.0.0/libpod";

export function libpodPost(path: string, body: object): (docker: Dockerode) => Promise<unknown> {
  // Under this name, because the client takes a body's own field `options` for its options.
  return (docker) => dial(docker, { path, method: "POST", options: { _body: body } });
}

/** A path with a query ends with a question mark. */
export function libpodGet(
  path: string,
  query?: Record<string, string>,
): (docker: Dockerode) => Promise<unknown> {
  return (docker) => dial(docker, { path, method: "GET", ...(query && { options: query }) });
}

interface Request {
  path: string;
  method: string;
  options?: object;
}

function dial({ modem }: Dockerode, { path, ...request }: Request): Promise<unknown> {
  const statusCodes = {
    200: true,
    201: true,
    400: "bad parameter",
    404: "not found",
    409: "conflict",
  };
  return new Promise((resolve, reject) => {
    modem.dial({ path: PREFIX + path, statusCodes, ...request }, (error, answer) => {
      if (error) reject(error);
      else resolve(answer);
    });
  });
}
