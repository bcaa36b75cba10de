// Lines to copy, with a label and a Copy button.
import { m } from "../../paraglide/messages.js";
import { CopyButton } from "../copy-button/copy-button.tsx";
import css from "./copy-block.module.css";

type Props = {
  label: string;
  text: string;
  /** Requirements for their use. */
  note?: string;
};

export function CopyBlock({ label, text, note }: Props) {
  return (
    <div className={css.block}>
      <span className={css.label}>{label}</span>
      {note && <p className={css.note}>{note}</p>}
      <code className={css.code}>{text}</code>
      <CopyButton text={text} label={m.copy()} accessibleName={m.embed_copy({ what: label })} />
    </div>
  );
}
