// Edit conflict: what the other person saved, beside what was sent but not saved.
import { m } from "../../paraglide/messages.js";
import { Alert } from "../alert/alert.tsx";
import { Link } from "../link/link.tsx";
import css from "./conflict.module.css";

type Props = {
  /** Fields that differ. */
  rows: { label: string; theirs: string; yours: string }[];
  /** Reloads the stored state: discards what was sent. */
  to: string;
};

export function Conflict({ rows, to }: Props) {
  return (
    <div className={css.conflict}>
      <Alert tone="error">
        <strong>{m.admin_conflict_title()}</strong> {m.admin_conflict_text()}
      </Alert>
      <div>
        <table className={css.table}>
          <thead>
            <tr>
              <th scope="col">{m.admin_conflict_field()}</th>
              <th scope="col">{m.admin_conflict_theirs()}</th>
              <th scope="col">{m.admin_conflict_yours()}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ label, theirs, yours }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td data-label={m.admin_conflict_theirs()}>{theirs || "–"}</td>
                <td data-label={m.admin_conflict_yours()}>{yours || "–"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Link to={to} reloadDocument className={css.take}>
        {m.admin_conflict_take()}
      </Link>
    </div>
  );
}
