// Avatar upload: choose a picture, crop it, send it with progress. Loaded on demand.
import { useEffect, useState } from "react";
import { m } from "../../paraglide/messages.js";
import { Button } from "../button/button.tsx";
import { Dialog } from "../dialog/dialog.tsx";
import { DropZone } from "../drop-zone/drop-zone.tsx";
import { useFetchedPart } from "../fetched-part.ts";
import css from "./crop-dialog.module.css";
import { type Area, drawCrop } from "./draw-crop.ts";

const loadCropBox = () => import("./cropper.tsx");

type Props = {
  open: boolean;
  onClose: () => void;
  /** Uploads and reports progress (0 to 1). Null: done; otherwise the error as a text. */
  send: (picture: Blob, progress: (done: number) => void) => Promise<string | null>;
};

export function CropDialog({ open, onClose, send }: Props) {
  const [picture, setPicture] = useState<string | null>(null);
  const [area, setArea] = useState<Area | null>(null);
  const [progress, setProgress] = useState<number | null>(null);
  const [error, setError] = useState<string | null>(null);
  const sending = progress !== null;
  const { Part: CropBox, fetchPart } = useFetchedPart(loadCropBox, () => reset(m.account_crop_lost()));

  useEffect(() => () => void (picture && URL.revokeObjectURL(picture)), [picture]);

  const reset = (reason: string | null = null) => {
    setPicture(null);
    setArea(null);
    setProgress(null);
    setError(reason);
  };
  const leave = () => {
    if (sending) return;
    reset();
    onClose();
  };
  const onFile = (file: File) => {
    if (!file.type.startsWith("image/")) return setError(m.account_crop_no_image());
    reset();
    fetchPart();
    setPicture(URL.createObjectURL(file));
  };
  const save = async () => {
    if (!picture || !area) return;
    setError(null);
    setProgress(0);
    const drawn = await drawCrop(picture, area).catch(() => null);
    if (!drawn) return reset(m.account_crop_unreadable());
    const failure = await send(drawn, setProgress);
    setProgress(null);
    if (failure) return setError(failure);
    reset();
    onClose();
  };

  return (
    <Dialog
      title={picture ? m.account_crop_title() : m.account_avatar_upload()}
      open={open}
      onClose={leave}
      close={m.account_crop_close()}
    >
      {picture === null ? (
        <DropZone error={error} onFile={onFile} />
      ) : (
        <>
          {CropBox ? (
            <CropBox
              picture={picture}
              disabled={sending}
              onArea={setArea}
              onBroken={() => reset(m.account_crop_unreadable())}
            />
          ) : (
            <div className={css.stage} role="status" aria-label={m.loading()} />
          )}
          {sending && (
            <div className={css.progress}>
              <progress
                max={1}
                value={progress}
                aria-label={m.account_crop_sending({ percent: Math.round(progress * 100) })}
              />
              <span>{m.account_crop_sending({ percent: Math.round(progress * 100) })}</span>
            </div>
          )}
          <p role="alert" className={css.error}>
            {error}
          </p>
          <div className={css.acts}>
            <Button variant="outlined" onClick={leave} disabled={sending}>
              {m.account_crop_cancel()}
            </Button>
            <Button onClick={save} loading={sending} disabled={!area}>
              {error === null ? m.account_save() : m.form_again()}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
}
