// The members of the account and the pending invitations.

import { useState } from "react";
import { api, type Schema } from "../../api/client.ts";
import { useCanWrite } from "../../api/session.ts";
import { useWrite } from "../../api/use-write.ts";
import { Button } from "../../components/control/button.tsx";
import { Select } from "../../components/control/field.tsx";
import { Menu } from "../../components/control/menu.tsx";
import { NameCell } from "../../components/data/name-cell.tsx";
import { timeColumn } from "../../components/data/relative-time.tsx";
import { SearchableTable } from "../../components/data/searchable-table.tsx";
import { actionsColumn, type Column } from "../../components/data/table.tsx";
import { SecretDialog } from "../../components/feedback/secret-dialog.tsx";
import { formatDateTime } from "../../components/format/time.ts";
import { Card } from "../../components/layout/card.tsx";
import { Empty } from "../../components/layout/empty.tsx";
import { Page } from "../../components/layout/page.tsx";
import { useSignInWays } from "../sign-in/sign-in-ways.tsx";
import { InvitationForm, type Role, roleDescriptions } from "./invitation-form.tsx";
import { RemoveMember } from "./remove-member.tsx";
import { ResetPassword } from "./reset-password.tsx";

type Member = Schema["Member"];

export function Members() {
  const query = api.useQuery("get", "/v1/members");
  const mayWrite = useCanWrite();
  const [isInviting, setInviting] = useState(false);
  const [link, setLink] = useState<string | null>(null);
  const [memberToRemove, setMemberToRemove] = useState<Member | null>(null);
  const [memberToReset, setMemberToReset] = useState<Member | null>(null);
  const { data: ways } = useSignInWays();
  const actions = actionsColumn<Member>((member) => (
    <Menu
      label={`Actions for ${member.name}`}
      items={[
        ways?.passwords === true && {
          label: "Reset password",
          onSelect: () => setMemberToReset(member),
        },
        { label: "Remove", danger: true, onSelect: () => setMemberToRemove(member) },
      ]}
    />
  ));
  return (
    <Page
      title="Members"
      lead="People with access to this account. A role defines what each member can do."
      actions={
        mayWrite && (
          <Button variant="primary" onClick={() => setInviting(true)}>
            Invite
          </Button>
        )
      }
    >
      <SearchableTable
        query={query}
        singular="member"
        columns={mayWrite ? [...columns, actions] : columns}
        idOf={({ id }) => id}
        textsOf={({ name, email, role }) => [name, email, role]}
        empty={
          <Empty
            title="No members yet"
            actions={mayWrite && <Button onClick={() => setInviting(true)}>Invite</Button>}
          >
            Invite the people you work with. Each member gets an API key and a role.
          </Empty>
        }
      />
      <Invitations />
      {isInviting && <InvitationForm onClose={() => setInviting(false)} onCreated={setLink} />}
      <SecretDialog
        title="Invitation link"
        lead="Send this link to the new member. It works once and is not shown again."
        text={link}
        onClose={() => setLink(null)}
      />
      {memberToReset && (
        <ResetPassword member={memberToReset} onClose={() => setMemberToReset(null)} />
      )}
      {memberToRemove && (
        <RemoveMember member={memberToRemove} onClose={() => setMemberToRemove(null)} />
      )}
    </Page>
  );
}

const columns: Column<Member>[] = [
  {
    title: "Member",
    sortBy: ({ name }) => name,
    width: "minmax(7rem, 2fr)",
    cell: ({ id, name }) => <NameCell name={name} id={id} />,
  },
  {
    title: "Email",
    sortBy: ({ email }) => email,
    width: "minmax(8rem, 2fr)",
    minWidth: "sm",
    cell: ({ email }) => email,
  },
  {
    title: "Role",
    sortBy: ({ role }) => role,
    width: "8rem",
    cell: (member) => <RoleSelect member={member} />,
  },
  timeColumn("Joined", ({ createdAt }) => createdAt, "md"),
];

function RoleSelect({ member }: { member: Member }) {
  const mayWrite = useCanWrite();
  const update = useWrite("patch", "/v1/members/{memberId}", {
    success: ({ name, role }) => `Role of ${name} changed to ${role}`,
    toastError: true,
  });
  const change = (role: Role) =>
    update.start({ params: { path: { memberId: member.id } }, body: { role } });
  return (
    <Select
      aria-label={`Role of ${member.name}`}
      disabled={!mayWrite}
      value={member.role}
      onChange={({ target }) => change(target.value as Role)}
    >
      {Object.keys(roleDescriptions).map((role) => (
        <option key={role}>{role}</option>
      ))}
    </Select>
  );
}

function Invitations() {
  const { data = [] } = api.useQuery("get", "/v1/invitations");
  const mayWrite = useCanWrite();
  const withdraw = useWrite("delete", "/v1/invitations/{invitationId}", {
    success: "Invitation revoked",
    toastError: true,
  });
  const revoke = (invitationId: string) => withdraw.start({ params: { path: { invitationId } } });
  if (data.length === 0) return null;
  return (
    <Card title="Pending invitations" flush className="mt-6">
      <ul className="divide-y divide-line">
        {data.map(({ id, email, role, expiresAt }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-3 p-4">
            <span>
              {email} as {role}
              <span className="text-muted">, expires {formatDateTime(expiresAt)}</span>
            </span>
            {mayWrite && (
              <Button small variant="danger" onClick={() => revoke(id)}>
                Revoke
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
