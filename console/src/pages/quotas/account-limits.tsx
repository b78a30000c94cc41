// The limits of another account, for the operator.

import { api, type Schema } from "../../api/client.ts";
import { useWrite } from "../../api/use-write.ts";
import { QuotaForm } from "./quota-form.tsx";

interface Props {
  account: Schema["ManagedAccount"];
  onClose: () => void;
}

export function AccountLimits({ account: { id: accountId, name }, onClose }: Props) {
  const params = { path: { accountId } };
  const path = "/v1/accounts/{accountId}/quota";
  const { data } = api.useQuery("get", path, { params });
  // No event reports a change of another account.
  const write = useWrite("patch", path, {
    success: `Limits of ${name} changed`,
    invalidates: [path],
  });
  if (!data) return null;
  return (
    <QuotaForm
      title={`Limits: ${name}`}
      schema="QuotaUpdate"
      limits={data.account.limits}
      ownLimits={null}
      onClose={onClose}
      onSave={(body) => write.run({ params, body })}
    />
  );
}
