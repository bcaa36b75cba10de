// A labelled choice of a picture from this machine, with what it should be like.
import css from "./file-field.module.css";

export function FileField({ label, name, hint }: { label: string; name: string; hint: string }) {
  return (
    <label className={css.field}>
      <span className={css.label}>{label}</span>
      <input type="file" name={name} accept="image/jpeg,image/png,image/webp,image/avif,image/gif" required />
      <span className={css.hint}>{hint}</span>
    </label>
  );
}
