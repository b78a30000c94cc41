// A peer: the same responses from constant data in memory, by a bare Mercurius and a bare Fastify
// route, without keys, permissions, limits or a store.

import { readFileSync } from "node:fs";
import fastify from "fastify";
import mercurius from "mercurius";
import { schemaText } from "../../src/contract/graphql/text.ts";
import { announce } from "../jobs/host/peer-process.ts";

const { myself, gpuTypes, pods, page } = JSON.parse(readFileSync(process.env.CONSTANTS!, "utf8"));

const app = fastify();
await app.register(mercurius, {
  schema: schemaText,
  resolvers: { Query: { myself: () => myself, gpuTypes: () => gpuTypes } },
});
app.get("/v1/pods", async () => pods);
app.get("/v2/pods", async () => page);
await app.listen({ host: "127.0.0.1", port: 0 });
announce(app.server.address());
