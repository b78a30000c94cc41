// Sandboxes: CPU containers with an idle limit and a lifetime.

import Type from "typebox";
import { type Operations, read, write } from "../../operation.ts";
import { noContent } from "../fields.ts";
import { logAnswer, logQuery } from "../log.ts";
import {
  sandbox,
  sandboxCreate,
  sandboxExec,
  sandboxExecResult,
  sandboxExtend,
  sandboxPatch,
  sandboxQuery,
} from "./sandbox.ts";

const tag = "Sandboxes";
const path = "/v2/sandboxes/{sandboxId}";
const answer = { status: 200, description: "The sandbox.", schema: sandbox } as const;

export const sandboxOperations = {
  createSandbox: {
    method: "POST",
    path: "/v2/sandboxes",
    tag,
    summary: "Create a sandbox",
    description: "It may still be starting. If no machine has room, the answer is 503.",
    needs: write,
    body: sandboxCreate,
    once: true,
    faultStatuses: { no_capacity: 503 },
    answer: { ...answer, status: 201 },
  },
  listSandboxes: {
    method: "GET",
    path: "/v2/sandboxes",
    tag,
    summary: "List sandboxes",
    description: "Newest first. Sandboxes that ended more than 7 days ago are forgotten.",
    needs: read,
    query: sandboxQuery,
    answer: {
      status: 200,
      description: "The sandboxes.",
      schema: Type.Object({ sandboxes: Type.Array(sandbox) }, { title: "SandboxList" }),
    },
  },
  getSandbox: {
    method: "GET",
    path,
    tag,
    summary: "Read a sandbox",
    description: "Also after its end.",
    needs: read,
    answer,
  },
  updateSandbox: {
    method: "PATCH",
    path,
    tag,
    summary: "Change a sandbox's limits",
    needs: write,
    body: sandboxPatch,
    answer,
  },
  deleteSandbox: {
    method: "DELETE",
    path,
    tag,
    summary: "End a sandbox",
    description: "Ends its container and deletes its files. Its record stays readable.",
    needs: write,
    answer: noContent("The sandbox has ended."),
  },
  execInSandbox: {
    method: "POST",
    path: `${path}/exec`,
    tag,
    summary: "Run a command in a sandbox",
    description: "The response is sent when the command ends.",
    needs: write,
    body: sandboxExec,
    answer: { status: 200, description: "Its output.", schema: sandboxExecResult },
  },
  extendSandbox: {
    method: "POST",
    path: `${path}/extend`,
    tag,
    summary: "Extend a sandbox's lifetime",
    description: "Sets the seconds since its creation, which cannot become fewer.",
    needs: write,
    body: sandboxExtend,
    answer,
  },
  streamSandboxLogs: {
    method: "GET",
    path: `${path}/logs`,
    tag,
    summary: "Follow a sandbox's logs",
    description: "Output of commands is not among them. The answer is 409 unless the sandbox runs.",
    needs: read,
    query: logQuery,
    answer: logAnswer,
  },
} as const satisfies Operations;
