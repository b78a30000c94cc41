// Real clients that call a service over TLS with only a root that they were given.

import { execFile } from "node:child_process";
import type { TestContext } from "node:test";
import { promisify } from "node:util";
import { pythonWith } from "../sdk/python-environment.ts";

const run = promisify(execFile);

/** With the checks that Python 3.13 makes by default. */
const PYTHON = `
import asyncio, ssl, sys, urllib.request
import aiohttp, requests
url = sys.argv[1]
async def call():
    async with aiohttp.ClientSession() as session:
        async with session.get(url) as response:
            return await response.text()
strict = ssl.create_default_context()
strict.verify_flags |= ssl.VERIFY_X509_STRICT
print(requests.get(url).text, asyncio.run(call()), urllib.request.urlopen(url, context=strict).read().decode())
`;

const NODE = "fetch(process.argv[1]).then((answer) => answer.text()).then(console.log)";

export interface TlsClient {
  name: string;
  /** How often it prints the answer. */
  answers: number;
  call(url: string): Promise<string>;
}

/** Curl, Node, and Python's requests, aiohttp and urllib, each with the variables of docs/tls.md. */
export function tlsClients(t: TestContext, root: string): TlsClient[] {
  const env = {
    PATH: process.env.PATH,
    CURL_CA_BUNDLE: root,
    SSL_CERT_FILE: root,
    REQUESTS_CA_BUNDLE: root,
    NODE_EXTRA_CA_CERTS: root,
  };
  const client = (name: string, program: string, args: string[], answers = 1): TlsClient => ({
    name,
    answers,
    call: async (url) => (await run(program, [...args, url], { env, timeout: 60_000 })).stdout,
  });
  const python = pythonWith(t, "1.12.0");
  return [
    client("curl", "curl", ["-sS"]),
    client("Node", process.execPath, ["-e", NODE]),
    ...(python ? [client("Python", python, ["-c", PYTHON], 3)] : []),
  ];
}
