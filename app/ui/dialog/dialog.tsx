// A dialog over the page: the browser's own, which keeps the focus inside, closes by Esc and gives the focus back.
import { type ReactNode, useEffect, useId, useRef } from "react";
import { useCloseByBack } from "./close-by-back.ts";
import css from "./dialog.module.css";

type Props = {
  title: string;
  open: boolean;
  /** By Esc, by the cross, by "back", or by a press beside it. While it must not close, leave `open` as it is. */
  onClose: () => void;
  /** The name of the cross. */
  close: string;
  children: ReactNode;
};

export function Dialog({ title, open, onClose, close, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const element = dialog.current;
    if (open && !element?.open) element?.showModal();
    if (!open && element?.open) element.close();
  }, [open]);
  useCloseByBack(open, onClose);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the press beside it is a second way; the keyboard has Esc and the cross
    <dialog
      ref={dialog}
      aria-labelledby={id}
      className={css.dialog}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // Where nothing was pressed in it before, browsers close it by "back" without asking.
      onClose={() => {
        if (open) onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      {open && (
        <div className={css.sheet}>
          <header className={css.head}>
            <h2 id={id} className={css.title}>
              {title}
            </h2>
            <button type="button" className={css.close} aria-label={close} onClick={onClose}>
              <svg viewBox="0 0 20 20" aria-hidden="true">
                <path d="m5 5 10 10M15 5 5 15" />
              </svg>
            </button>
          </header>
          {children}
        </div>
      )}
    </dialog>
  );
}
