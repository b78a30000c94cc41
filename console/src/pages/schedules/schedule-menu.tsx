// What can be done with a schedule: run, pause, resume, edit, delete.

import { useState } from "react";
import { api } from "../../api/client.ts";
import { useWrite } from "../../api/use-write.ts";
import { Menu } from "../../components/control/menu.tsx";
import { ConfirmDialog } from "../../components/form/confirm-dialog.tsx";
import { EditSchedule } from "./schedule-form.tsx";
import type { ScheduleSummary } from "./schedule-values.ts";

const path = "/v1/schedules/{scheduleId}";

interface Props {
  schedule: Pick<ScheduleSummary, "id" | "name" | "status">;
  /** Called after it was deleted. */
  onDeleted?: () => void;
}

export function ScheduleMenu({ schedule, onDeleted = () => {} }: Props) {
  const [openDialog, setOpenDialog] = useState<"edit" | "delete" | null>(null);
  const { id, name, status } = schedule;
  const params = { path: { scheduleId: id } };
  const run = useWrite("post", `${path}/run`, { success: "Job submitted", toastError: true });
  const pause = useWrite("post", `${path}/pause`, { success: `${name} paused`, toastError: true });
  const resume = useWrite("post", `${path}/resume`, {
    success: `${name} resumed`,
    toastError: true,
  });
  const close = () => setOpenDialog(null);
  return (
    <>
      <Menu
        label={`Actions for ${name}`}
        items={[
          { label: "Run now", onSelect: () => run.start({ params }) },
          status === "PAUSED"
            ? { label: "Resume", onSelect: () => resume.start({ params }) }
            : { label: "Pause", onSelect: () => pause.start({ params }) },
          { label: "Edit", onSelect: () => setOpenDialog("edit") },
          { label: "Delete", danger: true, onSelect: () => setOpenDialog("delete") },
        ]}
      />
      {openDialog === "edit" && <EditLoaded id={id} onClose={close} />}
      {openDialog === "delete" && (
        <DeleteSchedule {...{ id, name }} onClose={close} onDeleted={onDeleted} />
      )}
    </>
  );
}

/** Lists are without the input, so the whole schedule is read first. */
function EditLoaded({ id, onClose }: { id: string; onClose: () => void }) {
  const { data } = api.useQuery("get", path, { params: { path: { scheduleId: id } } });
  return data ? <EditSchedule schedule={data} onClose={onClose} /> : null;
}

interface DeleteProps {
  id: string;
  name: string;
  onClose: () => void;
  onDeleted: () => void;
}

function DeleteSchedule({ id, name, onClose, onDeleted }: DeleteProps) {
  const write = useWrite("delete", path, { success: `Schedule ${name} deleted` });
  return (
    <ConfirmDialog
      write={write}
      onClose={onClose}
      title={`Delete ${name}?`}
      action="Delete schedule"
      onConfirm={async () => {
        await write.run({ params: { path: { scheduleId: id } } });
        onDeleted();
      }}
    >
      <p>It submits no further jobs. Jobs that it submitted go on.</p>
    </ConfirmDialog>
  );
}
