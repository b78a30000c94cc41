// The people of an account, and the links that invite them.

import Type, { type Static } from "typebox";
import { instant, name } from "../fields.ts";
import type { Operations } from "../operation.ts";

const role = Type.Enum(["basic", "billing", "dev", "admin"], {
  description:
    "basic sees what there is, sends jobs and opens terminals; dev also creates, changes and " +
    "deletes; billing sees and manages what is spent, and nothing else; admin may do everything.",
});
const email = Type.String({
  maxLength: 254,
  pattern: "^[^@\\s]+@[^@\\s]+$",
  "x-takes": "an address such as ada@example.org",
});

export const member = Type.Object(
  { id: Type.String(), email, name, role, createdAt: instant },
  { title: "Member" },
);
export type Member = Static<typeof member>;

const memberUpdate = Type.Partial(Type.Object({ name, role }), {
  title: "MemberUpdate",
  additionalProperties: false,
});

const invitation = Type.Object(
  { id: Type.String(), email, role, createdAt: instant, expiresAt: instant },
  { title: "Invitation" },
);
export type Invitation = Static<typeof invitation>;

const invitationCreate = Type.Object(
  {
    email,
    role,
    validHours: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 720, default: 168, description: "How long it works." }),
    ),
  },
  { title: "InvitationCreate", additionalProperties: false },
);

const newInvitation = Type.Object(
  {
    ...invitation.properties,
    token: Type.String({ description: "What accepts it, once; shown only now." }),
    link: Type.String({ description: "A page of this service with the token." }),
  },
  { title: "NewInvitation" },
);

const accepting = Type.Object(
  {
    token: Type.String({ minLength: 1, maxLength: 191 }),
    name: Type.Optional(name),
  },
  { title: "InvitationAccept", additionalProperties: false },
);

const accepted = Type.Object(
  {
    member,
    key: Type.String({ description: "A key of the member's own; shown only now." }),
    keyId: Type.String(),
  },
  { title: "AcceptedInvitation" },
);

const read = { of: "rest", access: "read", area: "account" } as const;
const write = { of: "rest", access: "write", area: "account" } as const;
const one = "/v1/members/{memberId}";
const tag = "People";

export const memberOperations = {
  listMembers: {
    method: "GET",
    path: "/v1/members",
    tag,
    summary: "List the members of the account",
    needs: read,
    answer: { status: 200, description: "The members.", schema: Type.Array(member) },
  },
  getMember: {
    method: "GET",
    path: one,
    tag,
    summary: "Read a member",
    needs: read,
    answer: { status: 200, description: "The member.", schema: member },
  },
  updateMember: {
    method: "PATCH",
    path: one,
    tag,
    summary: "Give a member another role or name",
    description: "It holds at once, for all of the member's keys.",
    needs: write,
    body: memberUpdate,
    answer: { status: 200, description: "The member.", schema: member },
  },
  removeMember: {
    method: "DELETE",
    path: one,
    tag,
    summary: "Remove a member",
    description: "All of the member's keys are revoked; what was made with them stays.",
    needs: write,
    answer: { status: 204, description: "The member's keys open nothing any more." },
  },
  createInvitation: {
    method: "POST",
    path: "/v1/invitations",
    tag,
    summary: "Invite somebody into the account",
    description:
      "The link works once. Somebody who is a member already gets one more key by it, and the " +
      "role that it names.",
    needs: write,
    body: invitationCreate,
    answer: { status: 201, description: "The invitation.", schema: newInvitation },
  },
  listInvitations: {
    method: "GET",
    path: "/v1/invitations",
    tag,
    summary: "List invitations that may still be accepted",
    needs: read,
    answer: { status: 200, description: "The invitations.", schema: Type.Array(invitation) },
  },
  withdrawInvitation: {
    method: "DELETE",
    path: "/v1/invitations/{invitationId}",
    tag,
    summary: "Withdraw an invitation",
    needs: write,
    answer: { status: 204, description: "Its link opens nothing any more." },
  },
  acceptInvitation: {
    method: "POST",
    path: "/v1/invitations/accept",
    tag,
    summary: "Accept an invitation",
    description: "Takes no key: the token says who it is for.",
    needs: "nobody",
    body: accepting,
    answer: { status: 201, description: "The member, and a key.", schema: accepted },
  },
} as const satisfies Operations;
