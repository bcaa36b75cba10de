// Error page: what happened, and a way back. Never shows a stack, a path or a query.
import { isRouteErrorResponse } from "react-router";
import { m } from "../../paraglide/messages.js";
import { useRequestId } from "../../request-id.ts";
import { ButtonAnchor, ButtonLink } from "../button/button.tsx";
import { PageTitle } from "../page-title/page-title.tsx";
import css from "./error-page.module.css";
import { refusalTexts } from "./refusal-text.ts";

/** Texts for statuses. Thrown texts are never shown: they may contain internals. */
const STATUS_TEXTS: Record<number, () => string> = {
  400: m.error_400,
  401: m.error_401,
  403: m.error_403,
  405: m.error_405,
  408: m.error_408,
  410: m.error_410,
  413: m.error_413,
  421: m.error_421,
  429: m.error_429,
  500: m.error_500,
  502: m.error_502,
  503: m.error_503,
  504: m.error_504,
};

/** Page for anything thrown by a route or by rendering; a 404 response becomes the 404 page. */
export function ErrorPage({ error }: { error: unknown }) {
  const requestId = useRequestId();
  const { status, data } = isRouteErrorResponse(error) ? error : { status: null, data: null };
  if (status === 404) return <NotFound />;
  const texts = status === null ? undefined : refusalTexts(status, data);
  // Only our server can say that the fault is ours: in the browser it may be the connection.
  const ours = status === null ? requestId !== undefined : status === 500;
  const title = texts?.title() ?? m.error_title();
  const theirs = status !== null && status < 500;
  const text = texts?.text() ?? (ours ? m.error_ours() : theirs ? m.error_theirs() : m.error_unknown());
  const named = status === null ? undefined : STATUS_TEXTS[status]?.();
  return (
    <div className={css.page}>
      <PageTitle>{title}</PageTitle>
      <meta name="robots" content="noindex" />
      {named !== undefined && <p className={css.status}>{named === title ? status : `${status} ${named}`}</p>}
      <h1 className={css.title}>{title}</h1>
      <p className={css.text}>{text}</p>
      <Typed fields={typedIn(data)} />
      {ours && requestId !== undefined && (
        <p className={css.id} data-request-id={requestId}>
          {m.error_id({ id: requestId })}
        </p>
      )}
      <Acts home={homeIn(data)} again={!texts?.final} />
    </div>
  );
}

/** Shows what was typed into the form whose sending failed. */
function Typed({ fields }: { fields: [name: string, value: string][] }) {
  if (fields.length === 0) return null;
  return (
    <section className={css.typed}>
      <p>{m.error_typed()}</p>
      <dl>
        {fields.map(([name, value]) => (
          <div key={name + value} data-typed="">
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** `home`: the site's address, if it isn't this one. `again`: whether a retry may help. */
function Acts({ home, again }: { home: string | null; again: boolean }) {
  if (home !== null) {
    return (
      <>
        <p className={css.acts}>
          <ButtonAnchor href={home}>{m.error_elsewhere_go()}</ButtonAnchor>
        </p>
        <p className={css.id}>{home}</p>
        <p className={css.text}>{m.error_elsewhere_operator()}</p>
      </>
    );
  }
  return (
    <p className={css.acts}>
      <ButtonLink to="/" reloadDocument>
        {m.error_home()}
      </ButtonLink>
      {/* Reloads the page's own address: works without script, and after a post. */}
      {again && (
        <ButtonAnchor variant="outlined" href="">
          {m.error_again()}
        </ButtonAnchor>
      )}
    </p>
  );
}

function homeIn(data: unknown): string | null {
  const home = typeof data === "object" && data !== null && "home" in data ? data.home : null;
  return typeof home === "string" ? home : null;
}

function typedIn(data: unknown): [string, string][] {
  const typed = typeof data === "object" && data !== null && "typed" in data ? data.typed : null;
  return Array.isArray(typed) ? typed : [];
}

function NotFound() {
  return (
    <div className={css.page} data-status="404">
      <PageTitle>{m.not_found_title()}</PageTitle>
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
