// What people see when a page cannot be shown: what happened, and a way back. Never a stack, a path or a query.
import { isRouteErrorResponse } from "react-router";
import { m } from "../../paraglide/messages.js";
import { useRequestId } from "../../request-id.ts";
import { Button, ButtonLink } from "../button/button.tsx";
import css from "./error-page.module.css";

/** Words for the statuses that a page can end with. A thrown text is never shown: it may hold inside knowledge. */
const STATUS_TEXTS: Record<number, () => string> = {
  400: m.error_400,
  401: m.error_401,
  403: m.error_403,
  405: m.error_405,
  410: m.error_410,
  413: m.error_413,
  429: m.error_429,
  500: m.error_500,
  502: m.error_502,
  503: m.error_503,
  504: m.error_504,
};

/** The page for anything thrown by a route or by rendering; a 404 response becomes the 404 page. */
export function ErrorPage({ error }: { error: unknown }) {
  const requestId = useRequestId();
  const status = isRouteErrorResponse(error) ? error.status : null;
  if (status === 404) return <NotFound />;
  const words = status === null ? undefined : STATUS_TEXTS[status];
  const ours = status === null || status >= 500;
  return (
    <div className={css.page}>
      <title>{m.error_title()}</title>
      <meta name="robots" content="noindex" />
      {words && <p className={css.status}>{`${status} ${words()}`}</p>}
      <h1 className={css.title}>{m.error_title()}</h1>
      <p className={css.text}>{status === 403 ? m.error_403_text() : ours ? m.error_ours() : m.error_theirs()}</p>
      {ours && requestId !== undefined && (
        <p className={css.id} data-request-id={requestId}>
          {m.error_id({ id: requestId })}
        </p>
      )}
      <p className={css.acts}>
        <ButtonLink to="/" reloadDocument>
          {m.error_home()}
        </ButtonLink>
        <span className={css.again}>
          <Button variant="outlined" onClick={() => location.reload()}>
            {m.error_again()}
          </Button>
        </span>
      </p>
    </div>
  );
}

function NotFound() {
  return (
    <div className={css.page} data-status="404">
      <title>{m.not_found_title()}</title>
      <meta name="robots" content="noindex" />
      <p className={css.figure} aria-hidden="true">
        404
      </p>
      <h1 className={css.title}>
        <span className="visually-hidden">404: </span>
        {m.not_found_title()}
      </h1>
      <p className={css.text}>{m.not_found_text()}</p>
      <p className={css.acts}>
        <ButtonLink to="/">{m.error_home()}</ButtonLink>
      </p>
    </div>
  );
}
