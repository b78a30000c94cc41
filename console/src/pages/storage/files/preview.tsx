// A preview of a file: an image, or the beginning of a text.

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { fileAddress, readStart, type VolumeFile } from "../../../api/volume-files.ts";
import { Button } from "../../../components/control/button.tsx";
import { Code } from "../../../components/control/copy.tsx";
import { QueryResult } from "../../../components/data/query-result.tsx";
import { formatBytes } from "../../../components/format/units.ts";
import { Dialog, DialogActions } from "../../../components/layout/dialog.tsx";
import { Skeleton } from "../../../components/layout/skeleton.tsx";

const MAX_TEXT_BYTES = 64_000;

const imageTypes: Record<string, string> = {
  avif: "image/avif",
  bmp: "image/bmp",
  gif: "image/gif",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  png: "image/png",
  svg: "image/svg+xml",
  webp: "image/webp",
};

interface Props {
  volumeId: string;
  file: VolumeFile;
  name: string;
  onClose: () => void;
}

export function Preview({ volumeId, file, name, onClose }: Props) {
  const imageType = imageTypes[name.split(".").at(-1)!.toLowerCase()];
  return (
    <Dialog open onOpenChange={onClose} title={name} lead={formatBytes(file.size)} wide>
      {imageType ? (
        <ImagePreview name={name} address={fileAddress(volumeId, file.key, imageType)} />
      ) : (
        <TextPreview volumeId={volumeId} file={file} />
      )}
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
        <Button asChild variant="primary">
          <a href={fileAddress(volumeId, file.key)} download={name}>
            Download
          </a>
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function ImagePreview({ name, address }: { name: string; address: string }) {
  const [isBroken, setBroken] = useState(false);
  if (isBroken) return <p className="text-muted">This image cannot be shown.</p>;
  return (
    <img
      src={address}
      alt={name}
      onError={() => setBroken(true)}
      className="mx-auto max-h-[60dvh] rounded-control border border-line bg-sunken"
    />
  );
}

function TextPreview({ volumeId, file }: Pick<Props, "volumeId" | "file">) {
  const query = useQuery({
    queryKey: ["s3 text", volumeId, file.key, file.modifiedAt],
    // A range of an empty file does not exist.
    queryFn: async () =>
      file.size === 0 ? "" : textIn(await readStart(volumeId, file.key, MAX_TEXT_BYTES)),
    retry: false,
  });
  return (
    <QueryResult query={query} skeleton={<Skeleton className="h-40" />}>
      {(text) => <TextContent text={text} isCut={file.size > MAX_TEXT_BYTES} />}
    </QueryResult>
  );
}

function TextContent({ text, isCut }: { text: string | false; isCut: boolean }) {
  if (text === false)
    return <p className="text-muted">No preview: this is not a text or an image.</p>;
  if (text === "") return <p className="text-muted">This file is empty.</p>;
  return (
    <>
      <Code text={text} className="max-h-[60dvh] overflow-y-auto text-sm" />
      {isCut && (
        <p className="mt-2 text-sm text-muted">
          The first {formatBytes(MAX_TEXT_BYTES)} of the file.
        </p>
      )}
    </>
  );
}

/** False if the bytes are no text. The last character may be cut. */
function textIn(bytes: Uint8Array): string | false {
  if (bytes.includes(0)) return false;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return false;
  }
}
