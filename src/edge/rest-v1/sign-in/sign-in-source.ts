// Where a request to sign in came from.

import type { FastifyRequest } from "fastify";
import type { SignInSource } from "../../../flows/password/sign-in.ts";
import { sessionNetworkOf } from "../../http/auth/session-cookie.ts";
import { networkOf } from "../../http/connection/network.ts";

export function signInSourceOf(request: FastifyRequest): SignInSource {
  return {
    agent: request.headers["user-agent"] ?? "",
    address: request.ip,
    triesNetwork: networkOf(request.ip),
    network: sessionNetworkOf(request),
  };
}
