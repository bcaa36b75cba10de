// The few signs that stand on the pages that people open first; those of other pages are in more-icons.tsx. The shapes are
// Lucide's (lucide-LICENSE.txt): as plain drawings they weigh less than the library's code, and 51 MB less to install.
import type { ReactNode } from "react";

const SHAPES: Record<"check" | "chevron-down" | "copy" | "play" | "search" | "star", ReactNode> = {
  check: <path d="M20 6 9 17l-5-5" />,
  "chevron-down": <path d="m6 9 6 6 6-6" />,
  copy: (
    <>
      <rect width="14" height="14" x="8" y="8" rx="2" />
      <path d="M4 16c-1.1 0-2-.9-2-2V4c0-1.1.9-2 2-2h10c1.1 0 2 .9 2 2" />
    </>
  ),
  play: (
    <path fill="currentColor" d="M5 5a2 2 0 0 1 3.008-1.728l11.997 6.998a2 2 0 0 1 .003 3.458l-12 7A2 2 0 0 1 5 19z" />
  ),
  search: <path d="m21 21-4.34-4.34M19 11a8 8 0 1 1-16 0 8 8 0 0 1 16 0Z" />,
  star: (
    <path d="M11.525 2.295a.53.53 0 0 1 .95 0l2.31 4.679a2.12 2.12 0 0 0 1.595 1.16l5.166.756a.53.53 0 0 1 .294.904l-3.736 3.638a2.12 2.12 0 0 0-.611 1.878l.882 5.14a.53.53 0 0 1-.771.56l-4.618-2.428a2.12 2.12 0 0 0-1.973 0L6.396 21.01a.53.53 0 0 1-.77-.56l.881-5.139a2.12 2.12 0 0 0-.611-1.879L2.16 9.795a.53.53 0 0 1 .294-.906l5.165-.755a2.12 2.12 0 0 0 1.597-1.16z" />
  ),
};

type DrawingProps = {
  /** In px. */
  size: number;
  className?: string | undefined;
};

/** Says nothing to those who listen: the text stands beside it. */
export function Drawing({ size, className, children }: DrawingProps & { children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className={className}
    >
      {children}
    </svg>
  );
}

export function Icon({ shape, ...drawing }: DrawingProps & { shape: keyof typeof SHAPES }) {
  return <Drawing {...drawing}>{SHAPES[shape]}</Drawing>;
}
