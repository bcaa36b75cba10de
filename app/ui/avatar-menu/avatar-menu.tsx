// Avatar of the logged-in member, with its menu. A popover: works without script.
import { useFetcher } from "react-router";
import type { FormAnswer } from "#shared/form-answer.ts";
import { m } from "../../paraglide/messages.js";
import { Alert } from "../alert/alert.tsx";
import { Form } from "../form/form.tsx";
import { Link } from "../link/link.tsx";
import { useMenuOfPage } from "../menu-of-page.ts";
import css from "./avatar-menu.module.css";

type Props = {
  name: string;
  /** Null: shows the first letter of the name. */
  avatarUrl: string | null;
  /** Email address of the member, small, above the items. */
  email: string;
  labels: { menu: string; profile: string; language: string; logout: string; admin?: string };
  /** `admin` only with permission. */
  paths: { profile: string; language: string; logout: string; admin?: string | undefined };
};

export function AvatarMenu({ name, avatarUrl, email, labels, paths }: Props) {
  const menu = useMenuOfPage();
  const fetcher = useFetcher<FormAnswer>();
  return (
    <>
      <button type="button" popoverTarget="avatar-menu" className={css.opener} aria-label={labels.menu} title={name}>
        <Avatar name={name} url={avatarUrl} />
      </button>
      <div id="avatar-menu" popover="auto" ref={menu} className={css.menu}>
        <p className={css.who}>
          <strong>{name}</strong>
          <span>{email}</span>
        </p>
        <ul>
          {paths.admin && (
            <li>
              <Link to={paths.admin} className={css.item}>
                {labels.admin}
              </Link>
            </li>
          )}
          <li>
            <Link to={paths.profile} className={css.item}>
              {labels.profile}
            </Link>
          </li>
          <li>
            <Link to={paths.language} className={css.item}>
              {labels.language}
            </Link>
          </li>
          <li>
            <Form failed={m.failed_logout()} fetcher={fetcher} action={paths.logout}>
              <button type="submit" className={css.item}>
                {labels.logout}
              </button>
              {fetcher.state === "idle" && fetcher.data?.problem && (
                <Alert tone="error">{`${m.failed_logout()} ${m.refused_away()}`}</Alert>
              )}
            </Form>
          </li>
        </ul>
      </div>
    </>
  );
}

/** Round picture, or a letter. Decorative: the name is beside it or on its button. */
function Avatar({ name, url }: { name: string; url: string | null }) {
  return (
    <span className={css.avatar} aria-hidden="true">
      {url ? <img src={url} alt="" width="36" height="36" /> : [...name][0]?.toUpperCase()}
    </span>
  );
}
