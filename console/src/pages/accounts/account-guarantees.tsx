// The guarantees and weights of the projects of another account, for the operator.

import { useState } from "react";
import { api, type Schema } from "../../api/client.ts";
import { useWrite } from "../../api/use-write.ts";
import { Button } from "../../components/control/button.tsx";
import { Dialog, DialogActions } from "../../components/layout/dialog.tsx";
import { ProjectTermsForm } from "../projects/guarantee-form.tsx";

const path = "/v1/accounts/{accountId}/quota";

type Project = Schema["Quota"]["projects"][number];

interface Props {
  account: Schema["ManagedAccount"];
  onClose: () => void;
}

export function AccountGuarantees({ account: { id: accountId, name }, onClose }: Props) {
  const params = { path: { accountId } };
  const { data } = api.useQuery("get", path, { params });
  const [edited, setEdited] = useState<Project | null>(null);
  // No event reports a change of another account.
  const write = useWrite("patch", path, {
    success: `Guarantees of ${edited?.name} changed`,
    invalidates: [path],
  });
  if (!data) return null;
  if (edited) {
    return (
      <ProjectTermsForm
        project={edited}
        onClose={() => setEdited(null)}
        onSave={(terms) => write.run({ params, body: { projects: { [edited.id]: terms } } })}
      />
    );
  }
  return (
    <Dialog open onOpenChange={onClose} title={`Guarantees: ${name}`}>
      {data.projects.length === 0 && <p className="text-muted">The account has no projects.</p>}
      <ul className="divide-y divide-line">
        {data.projects.map((project) => (
          <li key={project.id} className="flex items-center justify-between gap-3 py-2">
            <div className="min-w-0">
              <p className="truncate font-medium">{project.name}</p>
              <p className="text-sm text-muted">{termsOf(project)}</p>
            </div>
            <Button small aria-label={`Edit ${project.name}`} onClick={() => setEdited(project)}>
              Edit
            </Button>
          </li>
        ))}
      </ul>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </Dialog>
  );
}

/** "2 NVIDIA A40, weight 3" */
function termsOf({ guaranteedGpus = {}, share }: Project): string {
  const gpus = Object.entries(guaranteedGpus).map(([id, { count }]) => `${count} ${id}`);
  return [...(gpus.length > 0 ? gpus : ["No guaranteed GPUs"]), `weight ${share.weight}`].join(
    ", ",
  );
}
