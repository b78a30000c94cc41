// The confirmation of the deletion of a file or a folder.

import { useMutation } from "@tanstack/react-query";
import { deleteFile, deleteFolder } from "../../../api/volume-files.ts";
import { ConfirmDialog } from "../../../components/form/confirm-dialog.tsx";
import { showToast } from "../../../toast.tsx";
import type { Entry } from "./entry.ts";

interface Props {
  volumeId: string;
  entry: Entry;
  onClose: () => void;
  onDeleted: () => void;
}

export function DeleteEntry({ volumeId, entry: { key, name, file }, onClose, onDeleted }: Props) {
  const write = useMutation({
    mutationFn: () => (file ? deleteFile(volumeId, key) : deleteFolder(volumeId, key)),
    onSuccess: () => showToast(`${name} deleted`),
    // A folder may be deleted in part.
    onSettled: onDeleted,
  });
  return (
    <ConfirmDialog
      write={write}
      onClose={onClose}
      title={`Delete ${name}?`}
      action={file ? "Delete file" : "Delete folder"}
      {...(!file && { confirmText: name })}
      onConfirm={() => write.mutateAsync()}
    >
      <p>
        {file
          ? "Pods and workers that mount the volume lose the file too. This cannot be undone."
          : "Everything in this folder is deleted, for Pods and workers that mount the volume too. This cannot be undone."}
      </p>
    </ConfirmDialog>
  );
}
