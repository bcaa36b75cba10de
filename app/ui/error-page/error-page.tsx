// What people see when a page cannot be shown: what happened, and a way back. Never a stack, a path or a query.
import { isRouteErrorResponse } from "react-router";
import { Button, ButtonLink } from "../button/button.tsx";
import css from "./error-page.module.css";

/** Words for the statuses that a page can end with. A thrown text is never shown: it may hold inside knowledge. */
const STATUS_TEXTS: Record<number, string> = {
  400: "Bad Request",
  401: "Not signed in",
  403: "Not allowed",
  405: "Method Not Allowed",
  410: "Gone",
  413: "Too large",
  429: "Too Many Requests",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
};

/** The page for anything thrown by a route or by rendering; a 404 response becomes the 404 page. */
export function ErrorPage({ error }: { error: unknown }) {
  const status = isRouteErrorResponse(error) ? error.status : null;
  if (status === 404) return <NotFound />;
  const words = status === null ? undefined : STATUS_TEXTS[status];
  const ours = status === null || status >= 500;
  return (
    <div className={css.page}>
      <title>Unexpected Application Error!</title>
      <meta name="robots" content="noindex" />
      {words && <p className={css.status}>{`${status} ${words}`}</p>}
      <h1 className={css.title}>Unexpected Application Error!</h1>
      <p className={css.text}>
        {ours
          ? "This page could not be shown. The fault is on our side and nothing of yours is lost. Please try again in a moment."
          : "This request could not be answered the way it was sent. Nothing of yours is lost."}
      </p>
      <p className={css.acts}>
        <ButtonLink to="/" reloadDocument>
          Back to Home
        </ButtonLink>
        <span className={css.again}>
          <Button variant="outlined" onClick={() => location.reload()}>
            Try again
          </Button>
        </span>
      </p>
    </div>
  );
}

export function NotFound() {
  return (
    <div className={css.page} data-status="404">
      <title>Page not found</title>
      <meta name="robots" content="noindex" />
      <p className={css.figure} aria-hidden="true">
        404
      </p>
      <h1 className={css.title}>
        <span className="visually-hidden">404: </span>Page not found
      </h1>
      <p className={css.text}>Nothing lives at this address. It may have moved, or the link is mistyped.</p>
      <p className={css.acts}>
        <ButtonLink to="/">Back to Home</ButtonLink>
      </p>
    </div>
  );
}
