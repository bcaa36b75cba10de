// The few icons of the first pages; others are in more-icons.tsx. The shapes are Lucide's (lucide-LICENSE.txt): as plain drawings
// they are smaller than the library's code, and 51 MB less to install.
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
  // The round stroke makes its corners: as a path they would be half the bytes of a list row.
  star: <path d="m12 2.6 2.9 5.9 6.5 1-4.7 4.6 1.1 6.5-5.8-3.1-5.8 3.1 1.1-6.5-4.7-4.6 6.5-1Z" />,
};

type DrawingProps = {
  /** In px. */
  size: number;
  className?: string | undefined;
};

/** Hidden from screen readers: there is text beside it. */
export function Drawing({ size, className, children }: DrawingProps & { children: ReactNode }) {
  return (
    <svg viewBox="0 0 24 24" width={size} height={size} data-icon="" aria-hidden="true" className={className}>
      {children}
    </svg>
  );
}

export function Icon({ shape, ...drawing }: DrawingProps & { shape: keyof typeof SHAPES }) {
  return <Drawing {...drawing}>{SHAPES[shape]}</Drawing>;
}
