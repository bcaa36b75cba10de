// Messages over any page about forms and links that are under way or unanswered.
import { HeldLink } from "./held-link.tsx";
import { LeftForm } from "./left-form.tsx";
import { LostPage } from "./lost-page.tsx";
import css from "./over-page.module.css";

/** Place it in the root of every page, once. */
export function OverPage() {
  return (
    <div className={css.over}>
      <LostPage />
      <HeldLink />
      <LeftForm />
    </div>
  );
}
