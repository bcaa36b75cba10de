// One matter of the settings: what it is about on the left, what can be done on the right.
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

/** A form of the settings, or what stands in the place of one: fields under each other, the act at the end. */
export const settingsForm = css.form ?? "";

/** Things in a row, such as sessions: what it is, and what can be done to it. */
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
