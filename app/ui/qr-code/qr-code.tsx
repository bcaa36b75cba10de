// A QR code, always dark on light, for a camera to read.
import css from "./qr-code.module.css";

/** `path`: the dark modules as the data of an SVG path, a unit each; `size`: how many there are in a row, quiet zone included. */
export function QrCode({ path, size, label }: { path: string; size: number; label: string }) {
  return (
    <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} className={css.code}>
      <path d={path} />
    </svg>
  );
}
