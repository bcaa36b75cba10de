// Opening of the home page: a slideshow under a heading. Without script it shows the first picture.
import { type KeyboardEvent, type ReactNode, useEffect, useState } from "react";
import { m } from "../../paraglide/messages.js";
import { type PictureFiles, PictureFrame } from "../picture/picture-frame.tsx";
import css from "./slideshow.module.css";

type Slide = { name: string; files: PictureFiles | null; portrait: PictureFiles | null; alt: string };

type Props = {
  images: Slide[];
  /** Time per picture, in ms. */
  interval?: number;
  /** Whether a click on the picture shows the next one. */
  nextSlideOnClick?: boolean;
  /** Content over the pictures: heading, buttons. */
  children: ReactNode;
};

/** The full width, slightly less: a phone of 721 px uses the picture of 720. A preload must have the same. */
export const SLIDE_SIZES = "99vw";

const REDUCED = "(prefers-reduced-motion: reduce)";

export function Slideshow({ images, interval = 4000, nextSlideOnClick = true, children }: Props) {
  const [current, setCurrent] = useState(0);
  const [paused, setPaused] = useState(false);
  // Other pictures are fetched only after the page has loaded.
  const [awake, setAwake] = useState(false);
  const count = images.length;
  const step = (by: number) => setCurrent((index) => (index + by + count) % count);

  useEffect(() => {
    const motion = matchMedia(REDUCED);
    const obey = () => setPaused(motion.matches);
    const wake = () => setAwake(true);
    obey();
    motion.addEventListener("change", obey);
    if (document.readyState === "complete") wake();
    else addEventListener("load", wake);
    return () => {
      motion.removeEventListener("change", obey);
      removeEventListener("load", wake);
    };
  }, []);

  useEffect(() => {
    if (paused || count < 2) return;
    // Restarts with each picture, so that one chosen by hand also has its full time.
    const timer = setTimeout(() => setCurrent((current + 1) % count), interval);
    return () => clearTimeout(timer);
  }, [paused, count, interval, current]);

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "ArrowRight") step(1);
    else if (event.key === "ArrowLeft") step(-1);
    else return;
    event.preventDefault();
  }

  return (
    <section
      className={css.show}
      aria-roledescription={m.slides_kind()}
      aria-label={m.slides_label()}
      onKeyDown={onKeyDown}
    >
      <div className={css.slides}>
        {images.map((image, index) =>
          index === 0 || awake ? (
            <div
              key={image.name}
              className={css.slide}
              data-current={index === current}
              aria-hidden={index !== current}
            >
              <PictureFrame
                files={image.files}
                portrait={image.portrait}
                alt={image.alt}
                sizes={SLIDE_SIZES}
                priority={index === 0}
              />
            </div>
          ) : null,
        )}
      </div>
      {nextSlideOnClick && count > 1 && (
        <button type="button" className={css.next} onClick={() => step(1)} aria-label={m.slides_next()} />
      )}
      <div className={css.front}>{children}</div>
      {count > 1 && (
        <div className={css.controls}>
          <button
            type="button"
            className={css.pause}
            onClick={() => setPaused(!paused)}
            aria-label={paused ? m.slides_play() : m.slides_pause()}
          >
            <svg viewBox="0 0 16 16" aria-hidden="true">
              {paused ? <path d="M5 3.2v9.6L12.6 8z" /> : <path d="M4 3h2.6v10H4zM9.4 3H12v10H9.4z" />}
            </svg>
          </button>
          {images.map((image, index) => (
            <button
              key={image.name}
              type="button"
              className={css.dot}
              onClick={() => setCurrent(index)}
              aria-label={m.slides_choose({ number: index + 1, count })}
              aria-current={index === current || undefined}
            />
          ))}
        </div>
      )}
    </section>
  );
}
