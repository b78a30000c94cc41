// The dialog for a new folder.

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { createFolder } from "../../../api/volume-files.ts";
import { Button } from "../../../components/control/button.tsx";
import { Field, TextInput } from "../../../components/control/field.tsx";
import { ErrorNote } from "../../../components/feedback/error-note.tsx";
import { Dialog, DialogActions } from "../../../components/layout/dialog.tsx";

interface Props {
  volumeId: string;
  prefix: string;
  onClose: () => void;
  onCreated: () => void;
}

export function NewFolder({ volumeId, prefix, onClose, onCreated }: Props) {
  const [name, setName] = useState("");
  const problem = name.includes("/") || name === "." || name === ".." ? "Not a valid name" : null;
  const write = useMutation({
    mutationFn: () => createFolder(volumeId, `${prefix}${name}/`),
    onSuccess: () => {
      onCreated();
      onClose();
    },
  });
  return (
    <Dialog open onOpenChange={onClose} title="New folder">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (name && !problem) write.mutate();
        }}
      >
        <Field label="Name" error={problem}>
          {(control) => (
            <TextInput
              {...control}
              value={name}
              onChange={({ target }) => setName(target.value)}
              placeholder="checkpoints"
            />
          )}
        </Field>
        {write.error !== null && (
          <div className="mt-4">
            <ErrorNote error={write.error} />
          </div>
        )}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant="primary"
            busy={write.isPending}
            disabled={name === "" || problem !== null}
          >
            Create folder
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
