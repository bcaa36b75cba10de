// Keeps a page with typed input after a logout or a change of role: the login page or a refusal would replace it and lose the
// input. Shows a message over the page; the site answers it no more.
import { useEffect, useRef, useState } from "react";
import { data, isRouteErrorResponse, useLocation, useNavigate, useNavigation, useRevalidator } from "react-router";
import { AUTH_CHANNEL, type AuthEvent } from "#shared/auth-event.ts";
import { m } from "../../paraglide/messages.js";
import { Alert } from "../alert/alert.tsx";
import { ButtonLink } from "../button/button.tsx";
import css from "./over-page.module.css";
import { keepBy, type Results } from "./sent-forms.ts";
import { stay } from "./stays.ts";
import { hasFormFields, isWriting } from "./typed-fields.ts";

/** After a login, the live stream may still report the former state for this time. */
const LATE_MS = 10_000;

type Refusal = "signed_out" | "forbidden";

/** Place it in the frame of pages with long forms. */
export function KeptPage() {
  const { pathname } = useLocation();
  const [kept, setKept] = useState<{ is: Refusal; on: string } | null>(null);
  const navigate = useNavigate();
  // A fetcher's form doesn't change the page.
  const moves = useNavigation().state === "submitting";
  const { revalidate } = useRevalidator();
  const now = useRef({ moves, navigate, revalidate });
  now.current = { moves, navigate, revalidate };

  useEffect(() => {
    const keep = (is: Refusal) => setKept({ is, on: location.pathname });
    // Another page and the live stream may both report it: a closed message isn't shown again, unless the input is sent.
    let wasTold = false;
    const keepOnce = (is: Refusal) => {
      if (is !== "signed_out" || !wasTold) keep(is);
      wasTold = is === "signed_out";
    };
    const take = (request: Request, results: Results): Results => {
      const [route, is] = findRefusal(results);
      if (is === null || request.signal.aborted) return results;
      if (request.method === "GET") {
        if (!isShown(request) || !isWriting()) return results;
        keepOnce(is);
        return Object.fromEntries(Object.entries(results).filter(([, { result }]) => readRefusal(result) === null));
      }
      if (!hasFormFields()) return results;
      keep(is);
      if (now.current.moves) stay(now.current.navigate);
      // An answer without data; its status says that nothing was done.
      return { [route]: { type: "data", result: data(undefined, { status: 401 }) } };
    };
    let signedInAt = Number.NEGATIVE_INFINITY;
    const hear = (told: Event) => {
      const { event } = (told as CustomEvent<{ event: AuthEvent }>).detail;
      // For another member, the page is reloaded.
      if (event === "SIGNED_IN") {
        signedInAt = performance.now();
        wasTold = false;
        setKept(null);
      }
      if (event !== "SIGNED_OUT" || !isWriting()) return;
      told.preventDefault();
      // In doubt asks the site: if true, it refuses the page.
      if (performance.now() - signedInAt < LATE_MS) void now.current.revalidate();
      else keepOnce("signed_out");
    };
    keepBy(take);
    window.addEventListener(AUTH_CHANNEL, hear);
    return () => {
      keepBy(null);
      window.removeEventListener(AUTH_CHANNEL, hear);
    };
  }, []);

  if (kept === null || kept.on !== pathname) return null;
  return (
    <div className={css.over}>
      <div className={css.notice}>
        <Alert tone="error" dismiss={{ label: m.form_dismiss(), onDismiss: () => setKept(null) }}>
          {kept.is === "signed_out" ? m.form_signed_out() : m.form_forbidden()} {m.form_kept()}
          {kept.is === "signed_out" && (
            <span className={css.acts}>
              <ButtonLink to="/login/" target="_blank" size="s" variant="outlined">
                {m.form_sign_in()}
              </ButtonLink>
            </span>
          )}
        </Alert>
      </div>
    </div>
  );
}

/** Finds the refused route, and the refusal. */
function findRefusal(results: Results): readonly [route: string, is: Refusal | null] {
  for (const [route, { result }] of Object.entries(results)) {
    const is = readRefusal(result);
    if (is !== null) return [route, is];
  }
  return ["", null];
}

/** Reads a guard's answer: redirect to the login, or forbidden. Null: neither. */
function readRefusal(result: unknown): Refusal | null {
  if (result instanceof Response) {
    const { pathname } = new URL(result.headers.get("Location") ?? "", location.href);
    return /^(?:\/de)?\/login\/$/.test(pathname) ? "signed_out" : null;
  }
  // A refusal with a reason isn't the guard's.
  const isGuards = isRouteErrorResponse(result) && result.status === 403 && !result.data;
  return isGuards ? "forbidden" : null;
}

/** True if the request is for the current page. */
function isShown(request: Request): boolean {
  const { pathname, search } = new URL(request.url);
  return pathname + search === location.pathname + location.search;
}
