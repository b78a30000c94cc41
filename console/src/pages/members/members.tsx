// The people of the account, and the links that invite more.

import { useState } from "react";
import { api, type Schema, service } from "../../api/client.ts";
import { useMayWrite } from "../../api/self.ts";
import { Ago } from "../../parts/ago.tsx";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/card.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { Empty } from "../../parts/empty.tsx";
import { Select } from "../../parts/field.tsx";
import { Listing } from "../../parts/listing.tsx";
import { Page } from "../../parts/page.tsx";
import { ShownOnce } from "../../parts/shown-once.tsx";
import type { Column } from "../../parts/table.tsx";
import { say } from "../../parts/toast.tsx";
import { Invite, type Role, roles } from "./invite.tsx";

type Member = Schema["Member"];

export function Members() {
  const query = api.useQuery("get", "/v1/members");
  const mayWrite = useMayWrite();
  const [inviting, setInviting] = useState(false);
  const [link, setLink] = useState<string | null>(null);
  const [leaving, setLeaving] = useState<Member | null>(null);
  const actions: Column<Member> = {
    title: "",
    width: "6rem",
    right: true,
    cell: (member) => (
      <Button small look="danger" onClick={() => setLeaving(member)}>
        Remove
      </Button>
    ),
  };
  return (
    <Page
      title="Members"
      lead="People with keys of their own, who may do what their role says."
      actions={
        mayWrite && (
          <Button look="primary" onClick={() => setInviting(true)}>
            Invite
          </Button>
        )
      }
    >
      <Listing
        query={query}
        one="member"
        columns={mayWrite ? [...columns, actions] : columns}
        idOf={({ id }) => id}
        textsOf={({ name, email, role }) => [name, email, role]}
        empty={
          <Empty
            title="No members yet"
            actions={mayWrite && <Button onClick={() => setInviting(true)}>Invite</Button>}
          >
            Invite the people you work with: each gets a key of their own and may do what their role
            says.
          </Empty>
        }
      />
      <Invitations />
      {inviting && <Invite onClose={() => setInviting(false)} onMade={setLink} />}
      <ShownOnce
        title="The invitation"
        lead="Send this link to whom you invite. It works once, and is shown this once."
        text={link}
        onClose={() => setLink(null)}
      />
      {leaving && <Remove member={leaving} onClose={() => setLeaving(null)} />}
    </Page>
  );
}

const columns: Column<Member>[] = [
  {
    title: "Member",
    width: "minmax(8rem, 2fr)",
    cell: ({ name, email }) => (
      <>
        <div className="truncate font-medium">{name}</div>
        <div className="truncate text-xs text-muted">{email}</div>
      </>
    ),
  },
  { title: "Role", width: "9rem", cell: (member) => <RoleOf member={member} /> },
  {
    title: "Since",
    width: "6.5rem",
    right: true,
    from: "md",
    cell: ({ createdAt }) => <Ago at={createdAt} />,
  },
];

function RoleOf({ member }: { member: Member }) {
  const mayWrite = useMayWrite();
  const change = async (role: Role) => {
    const { error } = await service.PATCH("/v1/members/{memberId}", {
      params: { path: { memberId: member.id } },
      body: { role },
    });
    say(error ? error.error : `${member.name} is ${role} now`);
  };
  return (
    <Select
      aria-label={`Role of ${member.name}`}
      disabled={!mayWrite}
      value={member.role}
      onChange={({ target }) => void change(target.value as Role)}
    >
      {Object.keys(roles).map((role) => (
        <option key={role}>{role}</option>
      ))}
    </Select>
  );
}

function Invitations() {
  const { data = [] } = api.useQuery("get", "/v1/invitations");
  const mayWrite = useMayWrite();
  if (data.length === 0) return null;
  const withdraw = async (invitationId: string) => {
    const { error } = await service.DELETE("/v1/invitations/{invitationId}", {
      params: { path: { invitationId } },
    });
    say(error ? error.error : "The invitation is withdrawn");
  };
  return (
    <Card title="Invitations that are open" flush className="mt-6">
      <ul className="divide-y divide-line">
        {data.map(({ id, email, role, expiresAt }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-3 p-4">
            <span>
              {email} as {role}
              <span className="text-muted">, until {new Date(expiresAt).toLocaleString()}</span>
            </span>
            {mayWrite && (
              <Button small look="danger" onClick={() => void withdraw(id)}>
                Withdraw
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Remove({ member, onClose }: { member: Member; onClose: () => void }) {
  const remove = async () => {
    const path = { memberId: member.id };
    const { error } = await service.DELETE("/v1/members/{memberId}", { params: { path } });
    if (error) throw error;
    say(`${member.name} is removed`);
  };
  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={`Remove ${member.name}?`}
      action="Remove member"
      onConfirm={remove}
    >
      <p>
        All of their keys are revoked for good, and they are signed out. What they made stays. They
        can be invited again.
      </p>
    </Confirm>
  );
}
