// Requests to Podman's own interface, over the connection of the Docker-compatible one.

import type { Engine } from "../engine.ts";

/** Understood by Podman 4 and later. */
const PREFIX = "/v4.0.0/libpod";

export async function libpodPost(engine: Engine, path: string, body: object): Promise<unknown> {
  const request = {
    path: PREFIX + path,
    method: "POST",
    statusCodes: { 200: true, 201: true, 400: "bad parameter", 404: "not found", 409: "conflict" },
    // Under this name, because the client takes a body's own field `options` for its options.
    options: { _body: body },
  };
  return engine.call(
    ({ modem }) =>
      new Promise((resolve, reject) => {
        modem.dial(request, (error: unknown, answer: unknown) => {
          if (error) reject(error);
          else resolve(answer);
        });
      }),
  );
}
