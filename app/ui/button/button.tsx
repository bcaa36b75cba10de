// Buttons, and links styled as buttons: one main action in the accent colour, the rest quieter.
import type { ComponentProps, ReactNode } from "react";
import { m } from "../../paraglide/messages.js";
import { Link } from "../link/link.tsx";
import { Skeleton } from "../skeleton/skeleton.tsx";
import css from "./button.module.css";

type Look = {
  /** default: main action of a screen. secondary: inverted. tonal: soft background. outlined: border only. */
  variant?: "default" | "secondary" | "tonal" | "outlined";
  size?: "s" | "m" | "l";
};

/** `skeleton` reserves its space. While `loading`, it ignores presses, says so, keeps its width and, unlike `disabled`, focus. */
export function Button({
  variant = "default",
  size = "m",
  loading = false,
  skeleton = false,
  type = "button",
  onClick,
  children,
  ...rest
}: Look & { loading?: boolean; skeleton?: boolean } & Omit<ComponentProps<"button">, "className">) {
  if (skeleton) return <Skeleton shape="button" />;
  return (
    <button
      {...rest}
      type={type}
      aria-disabled={loading || undefined}
      aria-busy={loading || undefined}
      onClick={loading ? (event) => event.preventDefault() : onClick}
      className={css.button}
      data-variant={variant}
      data-size={size}
    >
      {loading ? <Loading>{children}</Loading> : children}
    </button>
  );
}

function Loading({ children }: { children: ReactNode }) {
  return (
    <span className={css.stack}>
      <span className={css.kept} aria-hidden="true">
        {children}
      </span>
      <span>{m.loading()}</span>
    </span>
  );
}

/** A link within the site. */
export function ButtonLink({
  variant = "default",
  size = "m",
  ...rest
}: Look & Omit<ComponentProps<typeof Link>, "className">) {
  return <Link {...rest} className={css.button} data-variant={variant} data-size={size} />;
}

/** A link that leaves the site or the browser: a download, a join link. */
export function ButtonAnchor({
  variant = "default",
  size = "m",
  children,
  ...rest
}: Look & Omit<ComponentProps<"a">, "className">) {
  return (
    <a {...rest} className={css.button} data-variant={variant} data-size={size}>
      {children}
    </a>
  );
}
