// Receives one picture: by file picker, drop or paste.
import { type ClipboardEvent, type DragEvent, useId, useState } from "react";
import { m } from "../../paraglide/messages.js";
import css from "./drop-zone.module.css";

type Props = {
  /** Error of the last one. */
  error: string | null;
  onFile: (file: File) => void;
};

export function DropZone({ error, onFile }: Props) {
  const id = useId();
  const [over, setOver] = useState(false);
  const take = (files: FileList | null | undefined) => {
    const file = files?.[0];
    if (file) onFile(file);
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files);
  };
  return (
    <div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the picker inside is the way for the keyboard */}
      <div
        className={css.zone}
        data-over={over ? "" : undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
        onPaste={(event: ClipboardEvent) => take(event.clipboardData.files)}
      >
        <svg viewBox="0 0 48 48" aria-hidden="true" className={css.picture}>
          <rect x="6" y="9" width="36" height="30" rx="5" />
          <circle cx="33" cy="18" r="3.5" />
          <path d="m6 33 11-11 9 9 5-5 11 11" />
        </svg>
        <input
          id={id}
          type="file"
          accept="image/*"
          className={css.input}
          aria-describedby={error ? `${id}-limits ${id}-error` : `${id}-limits`}
          aria-invalid={error ? true : undefined}
          onChange={(event) => {
            take(event.target.files);
            // Allows choosing the same file again.
            event.target.value = "";
          }}
        />
        <label htmlFor={id} className={css.label}>
          {m.account_crop_choose()}
        </label>
        <p className={css.drop}>{m.account_crop_drop()}</p>
        <p id={`${id}-limits`} className={css.limits}>
          {m.account_crop_limits()}
        </p>
      </div>
      <p id={`${id}-error`} role="alert" className={css.error}>
        {error}
      </p>
    </div>
  );
}
