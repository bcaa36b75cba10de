// A QR code, always dark on light, for cameras.
import css from "./qr-code.module.css";

/** `path`: dark modules as SVG path data, one unit each; `size`: modules per row, with the quiet zone. */
export function QrCode({ path, size, label }: { path: string; size: number; label: string }) {
  return (
    <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} className={css.code}>
      <path d={path} />
    </svg>
  );
}
