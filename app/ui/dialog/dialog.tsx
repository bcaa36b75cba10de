// Dialog over the page: the browser's own, which traps the focus, closes by Esc and restores the focus.
import { type ReactNode, useEffect, useId, useRef } from "react";
import { useCloseByBack } from "./close-by-back.ts";
import css from "./dialog.module.css";

type Props = {
  title: string;
  open: boolean;
  /** Called by Esc, the close button, "back", or a click outside. To keep it open, leave `open` as it is. */
  onClose: () => void;
  /** Name of the close button. */
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
      // Without a press in the dialog, browsers close it by "back" at once.
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
