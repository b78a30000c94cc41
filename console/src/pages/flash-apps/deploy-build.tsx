// Deploys a build to one of its app's environments, such as an older one to roll back.

import { useState } from "react";
import { Button } from "../../components/control/button.tsx";
import { ErrorNote } from "../../components/feedback/error-note.tsx";
import { LabeledSelect } from "../../components/form/labeled-select.tsx";
import { formatQuantity } from "../../components/format/units.ts";
import { Dialog, DialogActions } from "../../components/layout/dialog.tsx";
import { type FlashApp, type FlashBuild, useFlashWrite } from "./use-flash-apps.ts";

interface Props {
  app: FlashApp;
  build: FlashBuild;
  onClose: () => void;
}

const DEPLOY = `mutation deploy($environmentId: String!, $buildId: String!) {
  deployBuildToEnvironment(input: {flashEnvironmentId: $environmentId, flashBuildId: $buildId}) { id } }`;

export function DeployBuild({ app: { flashEnvironments }, build, onClose }: Props) {
  const [environmentId, setEnvironmentId] = useState(flashEnvironments[0]!.id);
  const environment = flashEnvironments.find(({ id }) => id === environmentId);
  const write = useFlashWrite<{ environmentId: string; buildId: string }>(
    DEPLOY,
    `Build deployed to ${environment?.name}`,
  );
  const deploy = () => void write.run({ environmentId, buildId: build.id }).then(onClose, () => {}); // the error is in `write`
  return (
    <Dialog open onOpenChange={onClose} title="Deploy a build">
      <LabeledSelect
        label="Environment"
        value={environmentId}
        onChange={setEnvironmentId}
        options={flashEnvironments.map(({ id, name }) => [id, name] as const)}
      />
      <p className="mt-3 text-muted">
        {formatQuantity(environment?.endpoints.length ?? 0, "endpoint")} of the environment will run
        build <code>{build.id}</code>. Workers are replaced one by one.
      </p>
      {write.error !== null && (
        <div className="mt-4">
          <ErrorNote error={write.error} />
        </div>
      )}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="primary" busy={write.isPending} onClick={deploy}>
          Deploy
        </Button>
      </DialogActions>
    </Dialog>
  );
}
