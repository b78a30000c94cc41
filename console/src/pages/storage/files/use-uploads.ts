// The uploads of a page: one after another, each with its progress, its error and a way to cancel it.

import { useCallback, useRef, useState } from "react";
import { describeError } from "../../../api/error-description.ts";
import { uploadFile } from "../../../api/volume-uploads.ts";

export interface Upload {
  id: number;
  name: string;
  size: number;
  /** From 0 to 1. */
  share: number;
  error: string | null;
  /** Stops it, or removes what failed from the list. */
  cancel: () => void;
}

interface Options {
  volumeId: string;
  onUploaded: () => void;
}

export function useUploads({ volumeId, onUploaded }: Options) {
  const [uploads, setUploads] = useState<Upload[]>([]);
  const lastId = useRef(0);
  const queue = useRef(Promise.resolve());
  const change = useCallback((id: number, part: Partial<Upload>) => {
    setUploads((all) => all.map((each) => (each.id === id ? { ...each, ...part } : each)));
  }, []);
  const remove = useCallback((id: number) => {
    setUploads((all) => all.filter((each) => each.id !== id));
  }, []);
  const add = (prefix: string, files: Iterable<File>) => {
    for (const file of files) {
      const id = ++lastId.current;
      const controller = new AbortController();
      const { signal } = controller;
      const cancel = () => {
        controller.abort();
        remove(id);
      };
      const { name, size } = file;
      setUploads((all) => [...all, { id, name, size, share: 0, error: null, cancel }]);
      queue.current = queue.current.then(async () => {
        if (signal.aborted) return;
        const onProgress = (share: number) => change(id, { share });
        try {
          await uploadFile(volumeId, prefix + name, file, { signal, onProgress });
          remove(id);
          onUploaded();
        } catch (cause) {
          if (!signal.aborted) change(id, { error: describeError(cause).message });
        }
      });
    }
  };
  return { uploads, add };
}
