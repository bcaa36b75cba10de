// What is said over any page about forms and links that are under way, or that got no answer.
import { HeldLink } from "./held-link.tsx";
import { LeftForm } from "./left-form.tsx";
import { LostPage } from "./lost-page.tsx";
import css from "./over-page.module.css";

/** Belongs into the root of every page, once. */
export function OverPage() {
  return (
    <div className={css.over}>
      <LostPage />
      <HeldLink />
      <LeftForm />
    </div>
  );
}
