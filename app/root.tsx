// Renders the document around every page, and the last error boundary.
import { type ReactNode, useContext } from "react";
import { Links, Meta, Outlet, Scripts, ScrollRestoration, useRouteLoaderData } from "react-router";
import archivo from "../content/fonts/made/archivo.woff2?url";
import inter from "../content/fonts/made/inter.woff2?url";
import type { Route } from "./+types/root";
import { language } from "./language.ts";
import { overwriteGetLocale } from "./paraglide/runtime.js";
import type { loader as publicLoader } from "./routes/public/layout.tsx";
import { StillContext } from "./still.ts";
import "./styles/global.css";
import { ErrorPage } from "./ui/error-page/error-page.tsx";
import { OverPage } from "./ui/form/over-page.tsx";
import { keepPages } from "./ui/form/sent-forms.ts";

const font = { rel: "preload", as: "font", type: "font/woff2", crossOrigin: "anonymous" } as const;

// A change of language loads a new document.
if (!import.meta.env.SSR) overwriteGetLocale(() => (document.documentElement.lang === "de" ? "de" : "en"));

export const links: Route.LinksFunction = () => [
  { ...font, href: archivo },
  { ...font, href: inter },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
  { rel: "icon", href: "/favicon-32.png", type: "image/png", sizes: "32x32" },
  { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
  { rel: "manifest", href: "/manifest.webmanifest" },
];

export function Layout({ children }: { children: ReactNode }) {
  const still = useContext(StillContext);
  const site = useRouteLoaderData<typeof publicLoader>("routes/public/layout");
  return (
    // theme.js may have changed the attributes before hydration.
    <html lang={language()} data-theme={site?.member?.theme ?? "dark"} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="dark light" />
        <meta name="theme-color" content="#0c0908" />
        <script src="/theme.js" />
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        {!still && (
          <>
            <ScrollRestoration />
            <Scripts />
          </>
        )}
      </body>
    </html>
  );
}

/** In the browser: handles requests to the site that get no answer. */
export const clientMiddleware: Route.ClientMiddlewareFunction[] = [keepPages];

export default function App() {
  return (
    <>
      <Outlet />
      <OverPage />
    </>
  );
}

/** The last boundary: without the site's frame, because the frame itself may have failed. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <main>
      <ErrorPage error={error} />
    </main>
  );
}
