// Routes of /v1/members and /v1/invitations.

import type { FastifyInstance, FastifyReply } from "fastify";
import { HOUR_MS } from "../../../base/units.ts";
import {
  type Invitation,
  type Member,
  memberOperations,
} from "../../../contract/rest-v1/account/member.ts";
import type {
  Invitation as StoredInvitation,
  Member as StoredMember,
} from "../../../domain/member/member.ts";
import { accept } from "../../../flows/invitation/accept.ts";
import {
  invitationsOf,
  invite,
  type NewInvitation,
  withdraw,
} from "../../../flows/invitation/invite.ts";
import { changeMemberOf, removeMemberOf } from "../../../flows/member/change.ts";
import { memberOf, membersOf } from "../../../flows/member/read.ts";
import type { PasswordDeps } from "../../../flows/password/passwords.ts";
import type { Addresses, VaultDeps } from "../../management/deps.ts";
import { instant } from "../../management/serve/instant.ts";
import { originFor } from "../../management/serve/origin.ts";
import { serveOperations } from "../../management/serve/serve.ts";
import type { Whole } from "../../management/serve/take-fields.ts";

type Deps = VaultDeps & PasswordDeps & Pick<Addresses, "publicUrl">;

export function memberRoutes(app: FastifyInstance, deps: Deps): void {
  serveOperations(app, memberOperations, {
    listMembers: async ({ accountId }) => (await membersOf(deps, accountId)).map(memberRead),
    getMember: async ({ accountId, params }) =>
      memberRead(await memberOf(deps, accountId, params.memberId)),
    async updateMember({ key, params, body }) {
      body satisfies Whole<typeof body, Parameters<typeof changeMemberOf>[3]>;
      return memberRead(await changeMemberOf(deps, key, params.memberId, body));
    },
    async removeMember({ accountId, params, query }) {
      await removeMemberOf(deps, accountId, params.memberId, query);
    },
    async createInvitation({ key: by, body, reply, once }) {
      const { validHours = 168, ...rest } = body;
      rest satisfies Whole<typeof rest, NewInvitation>;
      const request = { by, ...rest, validMs: validHours * HOUR_MS, once };
      const { invitation, token } = await invite(deps, request);
      return { ...invitationRead(invitation), token, link: linkWith(deps, reply, token) };
    },
    listInvitations: async ({ accountId }) =>
      (await invitationsOf(deps, accountId)).map(invitationRead),
    async withdrawInvitation({ accountId, params }) {
      await withdraw(deps, accountId, params.invitationId);
    },
    async acceptInvitation({ body: { token, name = null, password = null, ...rest }, reply }) {
      rest satisfies Record<string, never>;
      const request = { token, name, password, address: reply.request.ip };
      const { member, key, secret } = await accept(deps, request);
      return { member: memberRead(member), key: secret, keyId: key.id };
    },
  });
}

/** The token is in the fragment, which browsers do not send and servers do not log. */
function linkWith(deps: Deps, { request }: FastifyReply, token: string): string {
  return `${originFor(deps, request)}/invitation#token=${token}`;
}

export function memberRead({ id, email, name, role, createdAt }: StoredMember): Member {
  return { id, email, name, role, createdAt: instant(createdAt) };
}

function invitationRead(invitation: StoredInvitation): Invitation {
  const { id, email, role, createdAt, expiresAt } = invitation;
  return { id, email, role, createdAt: instant(createdAt), expiresAt: instant(expiresAt) };
}
