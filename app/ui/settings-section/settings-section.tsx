// Section of the settings: description on the left, controls on the right.
import { type ReactNode, useId } from "react";
import css from "./settings-section.module.css";

type Props = {
  title: string;
  about?: ReactNode;
  children: ReactNode;
};

export function SettingsSection({ title, about, children }: Props) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={css.section}>
      <div className={css.head}>
        <h2 id={id} className={css.title}>
          {title}
        </h2>
        {about && <div className={css.about}>{about}</div>}
      </div>
      <div className={css.body}>{children}</div>
    </section>
  );
}

/** Class of a settings form, or its replacement: fields in a column, the button at the end. */
export const settingsForm = css.form ?? "";

/** List of things such as sessions: description and actions. */
export function SettingsList({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul aria-label={label} className={css.list}>
      {children}
    </ul>
  );
}

type ItemProps = Omit<Props, "title"> & { title: ReactNode; mark?: string | undefined };

export function SettingsItem({ title, about, mark, children }: ItemProps) {
  return (
    <li className={css.item}>
      <div className={css.what}>
        <p className={css.name}>
          {title}
          {mark && <span className={css.mark}>{mark}</span>}
        </p>
        {about && <p className={css.small}>{about}</p>}
      </div>
      <div className={css.acts}>{children}</div>
    </li>
  );
}
