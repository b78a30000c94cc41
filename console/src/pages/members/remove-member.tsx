// Removing a member: what belongs to them is listed, and stays, is handed over or stops with the removal.

import { useState } from "react";
import { api, type Schema } from "../../api/client.ts";
import { useWrite } from "../../api/use-write.ts";
import { Checkbox } from "../../components/control/field.tsx";
import { ErrorNote } from "../../components/feedback/error-note.tsx";
import { ConfirmDialog } from "../../components/form/confirm-dialog.tsx";
import { LabeledSelect } from "../../components/form/labeled-select.tsx";
import { formatQuantity } from "../../components/format/units.ts";

type Member = Schema["Member"];

export function RemoveMember({ member, onClose }: { member: Member; onClose: () => void }) {
  const [handOverTo, setHandOverTo] = useState("");
  const [stop, setStop] = useState(false);
  const { data: members = [] } = api.useQuery("get", "/v1/members");
  const lists = useBelongings(member.id);
  const isReady = lists.every(({ query }) => query.isSuccess);
  const error = lists.find(({ query }) => query.error)?.query.error ?? null;
  const belongings = lists.filter(({ query }) => (query.data ?? []).length > 0);
  const write = useWrite("delete", "/v1/members/{memberId}", {
    success: `${member.name} removed`,
  });
  const others = members.filter(({ id }) => id !== member.id);
  const removal = { ...(handOverTo !== "" && { handOverTo }), ...(stop && { stop }) };
  return (
    <ConfirmDialog
      write={write}
      isReady={isReady}
      onClose={onClose}
      title={`Remove ${member.name}?`}
      action="Remove member"
      onConfirm={() => write.run({ params: { path: { memberId: member.id }, query: removal } })}
    >
      <p>
        Their API keys are revoked permanently and they are signed out. You can invite them again.
      </p>
      <ErrorNote error={error} />
      {isReady && belongings.length > 0 && (
        <>
          {belongings.map(({ noun, plural, query: { data: items = [] } }) => (
            <p key={noun}>
              {formatQuantity(items.length, noun, plural)}{" "}
              {items.length === 1 ? "belongs" : "belong"} to them:{" "}
              {items.map(({ name }) => name).join(", ")}
            </p>
          ))}
          <LabeledSelect
            label="Hand over to"
            value={handOverTo}
            onChange={setHandOverTo}
            options={[["", "No one"], ...others.map(({ id, name }) => [id, name] as const)]}
          />
          <Checkbox
            label="Stop what runs"
            hint="Pods stop, locked ones too, sandboxes end, endpoints get 0 workers and schedules are paused. Volumes are kept."
            checked={stop}
            onChange={setStop}
          />
        </>
      )}
    </ConfirmDialog>
  );
}

/** What belongs to a member, by kind. The Pods of clusters are among the Pods. */
function useBelongings(memberId: string) {
  const params = { query: { createdBy: memberId } };
  const pods = api.useQuery("get", "/v1/pods", { params });
  const sandboxes = api.useQuery(
    "get",
    "/v2/sandboxes",
    { params },
    { select: (all) => all.sandboxes },
  );
  const endpoints = api.useQuery("get", "/v1/endpoints", { params });
  const schedules = api.useQuery("get", "/v1/schedules", { params });
  const templates = api.useQuery("get", "/v1/templates", { params });
  const volumes = api.useQuery("get", "/v1/networkvolumes", { params });
  const secrets = api.useQuery("get", "/v1/secrets", { params });
  const registries = api.useQuery("get", "/v1/containerregistryauth", { params });
  return [
    { noun: "Pod", plural: "Pods", query: pods },
    { noun: "sandbox", plural: "sandboxes", query: sandboxes },
    { noun: "endpoint", plural: "endpoints", query: endpoints },
    { noun: "schedule", plural: "schedules", query: schedules },
    { noun: "template", plural: "templates", query: templates },
    { noun: "network volume", plural: "network volumes", query: volumes },
    { noun: "secret", plural: "secrets", query: secrets },
    { noun: "registry credential", plural: "registry credentials", query: registries },
  ];
}
