// Members of an account and their invitations.

import Type, { type Static } from "typebox";
import { instant, name } from "../../fields.ts";
import type { Operations } from "../../operation.ts";

const role = Type.Enum(["basic", "billing", "member", "dev", "admin"], {
  description:
    "basic can read resources, submit jobs and open terminals; member can create resources, and read, change and " +
    "delete only those that belong to it, and submit jobs to all endpoints; dev can read, create, change and " +
    "delete all resources; billing can only read and manage billing; admin has full access.",
});
const email = Type.String({
  maxLength: 254,
  pattern: "^[^@\\s]+@[^@\\s]+$",
  "x-takes": "an email address such as ada@example.org",
});

/** Its length is checked apart, in characters as people count them. */
export const newPassword = Type.String({
  maxLength: 4096,
  writeOnly: true,
  description:
    "8 to 1,024 characters; not the e-mail address, not the name, and not one of the commonest passwords.",
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

const memberRemoval = Type.Partial(
  Type.Object({
    handOverTo: Type.String({
      description: "The id of the member that gets everything that belongs to this one.",
    }),
    stop: Type.Boolean({
      default: false,
      description:
        "Whether to stop the member's Pods that run, locked ones included, and to set the workers of its endpoints to 0. Volumes are kept; sandboxes end.",
    }),
  }),
);

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
      Type.Integer({
        minimum: 1,
        maximum: 720,
        default: 168,
        description: "Hours until it expires.",
      }),
    ),
  },
  { title: "InvitationCreate", additionalProperties: false },
);

const newInvitation = Type.Object(
  {
    ...invitation.properties,
    token: Type.String({ description: "Accepts the invitation, once; returned only once." }),
    link: Type.String({ description: "The page of this service that accepts the invitation." }),
  },
  { title: "NewInvitation" },
);

const invitationAccept = Type.Object(
  {
    token: Type.String({ minLength: 1, maxLength: 191, writeOnly: true }),
    name: Type.Optional(name),
    password: Type.Optional(newPassword),
  },
  { title: "InvitationAccept", additionalProperties: false },
);

const acceptedInvitation = Type.Object(
  {
    member,
    key: Type.String({ description: "The member's key; returned only once." }),
    keyId: Type.String(),
  },
  { title: "AcceptedInvitation" },
);

const read = { of: "rest", access: "read", area: "account" } as const;
const write = { of: "rest", access: "write", area: "account" } as const;
const memberPath = "/v1/members/{memberId}";
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
    path: memberPath,
    tag,
    summary: "Read a member",
    needs: read,
    answer: { status: 200, description: "The member.", schema: member },
  },
  updateMember: {
    method: "PATCH",
    path: memberPath,
    tag,
    summary: "Change a member's role or name",
    description: "The change applies immediately to all keys of the member.",
    needs: write,
    body: memberUpdate,
    answer: { status: 200, description: "The member.", schema: member },
  },
  removeMember: {
    method: "DELETE",
    path: memberPath,
    tag,
    summary: "Remove a member",
    description:
      "All keys of the member are revoked. What belongs to the member stays as it is, is handed over, or " +
      "stops, or both; the member's schedules are paused unless they are handed over alone. The filter createdBy of every list tells what it is.",
    needs: write,
    query: memberRemoval,
    answer: { status: 204, description: "The member is removed." },
  },
  createInvitation: {
    method: "POST",
    path: "/v1/invitations",
    tag,
    summary: "Invite a member",
    description:
      "The link works once. If the email address belongs to a member, accepting it gives the " +
      "member a new key and the role of the invitation.",
    needs: write,
    body: invitationCreate,
    once: true,
    answer: { status: 201, description: "The invitation.", schema: newInvitation },
  },
  listInvitations: {
    method: "GET",
    path: "/v1/invitations",
    tag,
    summary: "List open invitations",
    needs: read,
    answer: { status: 200, description: "The invitations.", schema: Type.Array(invitation) },
  },
  withdrawInvitation: {
    method: "DELETE",
    path: "/v1/invitations/{invitationId}",
    tag,
    summary: "Withdraw an invitation",
    needs: write,
    answer: { status: 204, description: "The invitation is withdrawn." },
  },
  acceptInvitation: {
    method: "POST",
    path: "/v1/invitations/accept",
    tag,
    summary: "Accept an invitation",
    description: "Needs no key; the token identifies the invitation.",
    needs: "nothing",
    body: invitationAccept,
    answer: { status: 201, description: "The member and their key.", schema: acceptedInvitation },
  },
} as const satisfies Operations;
