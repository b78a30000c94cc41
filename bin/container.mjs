#!/usr/bin/env node
// The command `freehold` of the image. Started as root, it first becomes the user `node`, with the group of the engine's
// socket, whose number only the machine knows.
import { statSync } from "node:fs";

const USER = "node";

if (process.getuid() === 0) {
  const group = socketGroup(process.env);
  process.initgroups(USER, group ?? process.getgid());
  process.setgid(USER);
  process.setuid(USER);
  process.env.HOME = "/home/node";
}
await import("./freehold.mjs");

/** Null without a socket. */
function socketGroup({ FREEHOLD_DOCKER_HOST, DOCKER_HOST }) {
  const address = FREEHOLD_DOCKER_HOST || DOCKER_HOST || "unix:///var/run/docker.sock";
  const file = /^unix:\/\/(.+)/.exec(address)?.[1];
  return file ? (statSync(file, { throwIfNoEntry: false })?.gid ?? null) : null;
}
