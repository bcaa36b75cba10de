// Reference of the public API, rendered from its own document: every operation with parameters and answers.
import { Fragment } from "react";
import { OPERATIONS, SHAPES } from "#web/api/operations.ts";
import { TITLES } from "#web/api/problem.ts";
import { describeApi } from "#web/api/reference/document.ts";
import { quickStartForNode, quickStartForPages } from "#web/api/reference/quick-start.ts";
import { siteContext } from "#web/context.ts";
import type { RouteFacts } from "#web/pages/route-facts.ts";
import { m } from "../../paraglide/messages.js";
import { PageTitle } from "../../ui/page-title/page-title.tsx";
import type { Route } from "./+types/developers";
import { DescribedShape, Marked, type Shape } from "./described-shape.tsx";
import css from "./developers.module.css";

export const handle: RouteFacts = { footer: m.developers_title, still: true };

export function loader({ context }: Route.LoaderArgs) {
  const { site_url, settings } = context.get(siteContext).read();
  const api = describeApi(OPERATIONS, SHAPES, { url: site_url, name: settings.site_name });
  const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      id: operation.operationId,
      tag: operation.tags[0] ?? "",
      method: method.toUpperCase(),
      path: `/api/v1${path}`,
      summary: operation.summary,
      about: operation.description ?? null,
      scope: operation.security.flatMap((one) => one.key ?? [])[0] ?? null,
      needs: needsOf(operation.security),
      parameters: (operation.parameters ?? []).map((one) => ({
        name: one.name,
        place: one.in,
        required: one.required,
        about: one.description === undefined ? null : String(one.description),
        schema: one.schema as Shape,
      })),
      body: nameIn(operation.requestBody?.content),
      answers: Object.entries(operation.responses).map(([status, answer]) => ({
        status,
        about: answer.description,
        shape: status.startsWith("2") ? nameIn(answer.content) : null,
      })),
    })),
  );
  return {
    site_name: settings.site_name,
    base: `${site_url}/api/v1`,
    quick_starts: { node: quickStartForNode(site_url), pages: quickStartForPages(site_url) },
    about: api.info.description,
    tags: api.tags.map(({ name }) => ({ name, operations: operations.filter(({ tag }) => tag === name) })),
    shapes: Object.entries(api.components.schemas).map(([name, shape]) => ({ name, shape: shape as Shape })),
    problems: Object.entries(TITLES).map(([status, title]) => ({ status, title })),
  };
}

/** Returns what an operation requires: `key` also if a session with the same permission is enough. Null: nothing. */
function needsOf(security: Record<string, string[]>[]): string | null {
  const [first = {}, ...others] = security;
  return others.length === 0 || first.key?.length ? (Object.keys(first)[0] ?? null) : null;
}

/** Returns the shape's name of a body or an answer. */
function nameIn(content: Record<string, { schema: object }> | undefined): string | null {
  const [one] = Object.values(content ?? {});
  const reference = one && "$ref" in one.schema ? String(one.schema.$ref) : null;
  return reference?.split("/").at(-1) ?? null;
}

const anchor = (name: string) => name.toLowerCase().replace(/[^a-z]+/g, "-");

export default function Developers({ loaderData }: Route.ComponentProps) {
  const { site_name, base, quick_starts, about, tags, shapes, problems } = loaderData;
  const title = m.developers_title();
  return (
    <>
      <PageTitle>{title}</PageTitle>
      <meta name="description" content={m.developers_description({ site: site_name })} />
      <meta property="og:title" content={`${title} – ${site_name}`} />
      <meta property="og:description" content={m.developers_description({ site: site_name })} />
      <div className={`page ${css.sheet}`}>
        <header className={css.head}>
          <h1>{title}</h1>
          <p>{m.developers_intro({ site: site_name })}</p>
          <p>
            <a href="/api/v1/openapi.json">{m.developers_document()}</a>
          </p>
          <pre className={css.code}>
            <code>
              curl <Breakable address={`${base}/servers`} />
            </code>
          </pre>
          <p lang="en" className={css.quiet}>
            {about}
          </p>
        </header>
        <nav className={css.contents} aria-labelledby="contents">
          <h2 id="contents">{m.developers_contents()}</h2>
          <ul>
            {tags.map(({ name }) => (
              <li key={name} lang="en">
                <a href={`#${anchor(name)}`}>{name}</a>
              </li>
            ))}
            <li>
              <a href="#client">{m.developers_client()}</a>
            </li>
            <li>
              <a href="#shapes">{m.developers_shapes()}</a>
            </li>
            <li>
              <a href="#problems">{m.developers_problems()}</a>
            </li>
          </ul>
        </nav>
        <div className={css.body}>
          <section aria-labelledby="client">
            <h2 id="client">{m.developers_client()}</h2>
            <p>{m.developers_client_text()}</p>
            <p>
              <a href="/client.js" download>
                <code>client.js</code>
              </a>{" "}
              ·{" "}
              <a href="/client.d.ts" download>
                <code>client.d.ts</code>
              </a>
            </p>
            <h3>{m.developers_client_node()}</h3>
            <pre className={css.code} data-quick-start="node">
              <code>{quick_starts.node}</code>
            </pre>
            <h3>{m.developers_client_pages()}</h3>
            <pre className={css.code} data-quick-start="pages">
              <code>{quick_starts.pages}</code>
            </pre>
          </section>
          {tags.map(({ name, operations }) => (
            <section key={name} aria-labelledby={anchor(name)}>
              <h2 id={anchor(name)} lang="en">
                {name}
              </h2>
              {operations.map((operation) => (
                <OperationPart key={operation.id} operation={operation} />
              ))}
            </section>
          ))}
          <section aria-labelledby="shapes">
            <h2 id="shapes">{m.developers_shapes()}</h2>
            {shapes.map(({ name, shape }) => (
              <article key={name} id={`shape-${name}`} className={css.operation} lang="en">
                <h3>{name}</h3>
                <DescribedShape shape={shape} />
              </article>
            ))}
          </section>
          <section aria-labelledby="problems">
            <h2 id="problems">{m.developers_problems()}</h2>
            <dl className={css.answers} lang="en">
              {problems.map(({ status, title: text }) => (
                <div key={status} id={`problem-${status}`}>
                  <dt>{status}</dt>
                  <dd>{text}</dd>
                </div>
              ))}
            </dl>
          </section>
        </div>
      </div>
    </>
  );
}

/** Address that may break before its slashes. */
const Breakable = ({ address }: { address: string }) =>
  address.split(/(?<=[^/])(?=\/[^/])/).map((part) => (
    <Fragment key={part}>
      <wbr />
      {part}
    </Fragment>
  ));

type Described = Route.ComponentProps["loaderData"]["tags"][number]["operations"][number];

const NEEDS: Record<string, () => string> = {
  key: m.developers_needs_key,
  session: m.developers_needs_session,
  gameMachine: m.developers_needs_machine,
};

function OperationPart({ operation }: { operation: Described }) {
  const { id, method, path, summary, about, scope, needs, parameters, body, answers } = operation;
  return (
    <article className={css.operation} aria-labelledby={id}>
      <h3 id={id} lang="en">
        {summary}
      </h3>
      <p className={css.address}>
        <code>
          <b>{method}</b> <Breakable address={path} />
        </code>
      </p>
      {about && (
        <p lang="en" className={css.quiet}>
          <Marked text={about} />
        </p>
      )}
      {needs && (
        <p>
          {NEEDS[needs]?.()} {scope && <code>{scope}</code>}
        </p>
      )}
      {parameters.length > 0 && (
        <dl className={css.fields} lang="en">
          {parameters.map((one) => (
            <div key={one.name}>
              <dt>
                <code>{one.name}</code> <span className={css.quiet}>{one.required ? `${one.place}*` : one.place}</span>
              </dt>
              <dd>
                <DescribedShape shape={one.schema} /> <Marked text={one.about ?? ""} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {body && (
        <p>
          {m.developers_body()} <a href={`#shape-${body}`}>{body}</a>
        </p>
      )}
      <dl className={css.answers} lang="en">
        {answers.map(({ status, about: text, shape }) => (
          <div key={status}>
            <dt>{status}</dt>
            <dd>
              {text} {shape && <a href={`#shape-${shape}`}>{shape}</a>}
            </dd>
          </div>
        ))}
      </dl>
    </article>
  );
}
