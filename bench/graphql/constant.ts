// A party: the same answers from constant data in memory, by a bare Mercurius and a bare Fastify route.
// Everything that Freehold does beside is missing here: keys, permissions, limits, the store.

import { readFileSync } from "node:fs";
import fastify from "fastify";
import mercurius from "mercurius";
import { schemaText } from "../../src/contract/graphql/text.ts";
import { announce } from "../jobs/party-process.ts";

const { myself, gpuTypes, pods } = JSON.parse(readFileSync(process.env.CONSTANTS!, "utf8"));

const app = fastify();
await app.register(mercurius, {
  schema: schemaText,
  resolvers: { Query: { myself: () => myself, gpuTypes: () => gpuTypes } },
});
app.get("/v1/pods", async () => pods);
await app.listen({ host: "127.0.0.1", port: 0 });
announce(app.server.address());
