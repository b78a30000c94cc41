// A client of a service that runs in containers.

import { until } from "../fixtures/until.ts";

export class Client {
  readonly origin: string;
  readonly #key: string;

  constructor(port: number | string, key: string) {
    this.origin = `http://127.0.0.1:${port}`;
    this.#key = key;
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
  async call(method: string, path: string, body?: unknown): Promise<{ status: number; json: any }> {
    const response = await fetch(this.origin + path, {
      method,
      headers: { authorization: `Bearer ${this.#key}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = text !== "" && !text.startsWith("<");
    return { status: response.status, json: isJson ? JSON.parse(text) : text };
  }

  /** Runs a job to its end; a worker with `hello` returns a greeting. */
  async greet(name: string): Promise<unknown> {
    const { json } = await this.call("POST", "/v2/hello/runsync?wait=60000", { input: { name } });
    return json.output ?? json;
  }

  /** Resolves once the service is ready. */
  async ready(): Promise<void> {
    await until(async () => {
      const answer = await fetch(`${this.origin}/readyz`).catch(() => null);
      return answer?.status === 200;
    });
  }
}
