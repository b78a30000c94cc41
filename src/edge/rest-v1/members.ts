// /v1/members and /v1/invitations.

import type { FastifyInstance, FastifyReply } from "fastify";
import { type Invitation, type Member, memberOperations } from "../../contract/rest-v1/member.ts";
import type { Member as Kept, Invitation as KeptInvitation } from "../../domain/member/member.ts";
import { accept } from "../../flows/invitation/accept.ts";
import { invitationsOf, invite, withdraw } from "../../flows/invitation/invite.ts";
import { changeMemberOf, removeMemberOf } from "../../flows/member/change.ts";
import { memberOf, membersOf } from "../../flows/member/read.ts";
import type { RestDeps } from "./deps.ts";
import { instant } from "./instant.ts";
import { serve } from "./serve.ts";

const HOUR_MS = 3_600_000;

export function memberRoutes(app: FastifyInstance, deps: RestDeps): void {
  serve(app, memberOperations, {
    listMembers: async ({ accountId }) => (await membersOf(deps, accountId)).map(memberRead),
    getMember: async ({ accountId, params }) =>
      memberRead(await memberOf(deps, accountId, params.memberId)),
    updateMember: async ({ key, params, body }) =>
      memberRead(await changeMemberOf(deps, key, params.memberId, body)),
    async removeMember({ accountId, params }) {
      await removeMemberOf(deps, accountId, params.memberId);
    },
    async createInvitation({ key: by, body, reply }) {
      const { validHours = 168, ...whom } = body;
      const wanted = { by, ...whom, validMs: validHours * HOUR_MS };
      const { invitation, token } = await invite(deps, wanted);
      return { ...invitationRead(invitation), token, link: linkWith(deps, reply, token) };
    },
    listInvitations: async ({ accountId }) =>
      (await invitationsOf(deps, accountId)).map(invitationRead),
    async withdrawInvitation({ accountId, params }) {
      await withdraw(deps, accountId, params.invitationId);
    },
    async acceptInvitation({ body: { token, name = null }, reply }) {
      const asked = { token, name, address: reply.request.ip };
      const { member, key, secret } = await accept(deps, asked);
      return { member: memberRead(member), key: secret, keyId: key.id };
    },
  });
}

/** Behind the #, which no server is told and no log keeps. */
function linkWith({ publicUrl }: RestDeps, { request }: FastifyReply, token: string): string {
  return `${publicUrl ?? `${request.protocol}://${request.host}`}/invitation#token=${token}`;
}

export function memberRead({ id, email, name, role, createdAt }: Kept): Member {
  return { id, email, name, role, createdAt: instant(createdAt) };
}

function invitationRead(kept: KeptInvitation): Invitation {
  const { id, email, role, createdAt, expiresAt } = kept;
  return { id, email, role, createdAt: instant(createdAt), expiresAt: instant(expiresAt) };
}
