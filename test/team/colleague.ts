// What a second person does on their own computer, with nothing but the link of the invitation. Runs as a program of
// its own, in the colleague's network: node colleague.ts <link> <public key> <address for webhooks>. Prints what came back
// as JSON.

import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { until } from "../fixtures/until.ts";
import { sendRaw } from "../s3/raw-request.ts";

const [, , link = "", publicKey = "", ownAddress = ""] = process.argv;
const { origin, hash } = new URL(link);
const token = new URLSearchParams(hash.slice(1)).get("token");

/** Everything that the service said, to be searched for addresses that lead nowhere. */
const texts: string[] = [];

async function ask(method: string, path: string, body?: unknown, headers = {}) {
  const response = await fetch(new URL(path, origin), {
    method,
    headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  texts.push(`${method} ${path}: ${text}`);
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return {
    headers: response.headers,
    json: text.startsWith("<") ? text : JSON.parse(text || "null"),
  };
}

const statusOf = async (path: string) => (await fetch(new URL(path, origin))).status;

/** The page of the link, the member's key, and a session as a browser has it. */
async function join() {
  const page = await fetch(link, { headers: { accept: "text/html" } });
  const accepted = await ask("POST", "/v1/invitations/accept", { token, name: "Ada" });
  const { key, member } = accepted.json;
  const signedIn = await ask("POST", "/v1/session", { key }, { origin });
  const cookie = signedIn.headers.get("set-cookie") ?? "";
  const [pair = ""] = cookie.split(";");
  const { json: session } = await ask("GET", "/v1/session", undefined, { cookie: pair });
  return { page: page.headers.get("content-type"), key: key as string, member, cookie, session };
}

async function openPod(authorization: string, proxyUrl: string) {
  const body = { name: "lab", imageName: "jupyter", computeType: "CPU", ports: ["8888/http"] };
  const { json: pod } = await ask("POST", "/v1/pods", body, { authorization });
  const url = `${proxyUrl}/${pod.id}/8888/`;
  const page = await until(async () => {
    const answer = await fetch(url, { headers: { accept: "text/html" } });
    const text = await answer.text();
    return answer.status === 200 && text;
  });
  const { json: view } = await ask("GET", `/v2/pods/${pod.id}`, undefined, { authorization });
  return { id: pod.id as string, url, page, ssh: view.ssh.proxy };
}

async function keepFile(authorization: string, s3Url: string) {
  const body = { name: "data", size: 1, dataCenterId: "EU-RO-1" };
  const { json: volume } = await ask("POST", "/v1/networkvolumes", body, { authorization });
  const { json: s3Key } = await ask("POST", "/v1/s3-keys", { name: "own" }, { authorization });
  const place = { s3Url, s3Key, bucket: volume.id };
  const put = await sendRaw(place, { method: "PUT", path: "a.txt", body: () => "kept" });
  const got = await sendRaw(place, { path: "a.txt" });
  return { put: put.status, text: got.text };
}

/** A job whose webhook comes to this computer. */
async function runJob(authorization: string) {
  const received = Promise.withResolvers<IncomingMessage>();
  const receiver = createServer((request, response) => {
    received.resolve(request);
    response.end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, ownAddress, resolve));
  const { port } = receiver.address() as AddressInfo;
  const body = { name: "echo", imageName: "echo", isServerless: true };
  const { json: template } = await ask("POST", "/v1/templates", body, { authorization });
  const settings = { templateId: template.id, computeType: "CPU", workersMax: 1 };
  const { json: endpoint } = await ask("POST", "/v1/endpoints", settings, { authorization });
  const job = { input: {}, webhook: `http://${ownAddress}:${port}/done` };
  await ask("POST", `/v2/${endpoint.id}/run`, job, { authorization });
  const { url } = await received.promise;
  receiver.close();
  return { webhook: url, address: await addressOfBalanced(authorization, template.id) };
}

async function addressOfBalanced(authorization: string, templateId: string): Promise<string> {
  const settings = { templateId, computeType: "CPU", type: "LB" };
  const { json } = await ask("POST", "/v1/endpoints", settings, { authorization });
  const view = await ask("GET", `/v2/serverless/${json.id}`, undefined, { authorization });
  return JSON.stringify(view.json);
}

const { key, session, ...joined } = await join();
const authorization = `Bearer ${key}`;
await ask("POST", "/v1/ssh-keys", { publicKey }, { authorization });
const pod = await openPod(authorization, session.proxyUrl);
const file = await keepFile(authorization, session.s3Url);
const { webhook, address } = await runJob(authorization);
const withoutKey = { metrics: await statusOf("/metrics"), pods: await statusOf("/v1/pods") };
process.stdout.write(
  JSON.stringify({ ...joined, session, pod, file, webhook, address, withoutKey, texts }, null, 2),
);
