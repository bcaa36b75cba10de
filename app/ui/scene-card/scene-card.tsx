// One card over a darkened scene: the frame of every page that deals with getting in.
import type { ReactNode } from "react";
import css from "./scene-card.module.css";

type Props = {
  /** The scene behind the card. */
  picture: ReactNode;
  title: string;
  children: ReactNode;
};

export function SceneCard({ picture, title, children }: Props) {
  return (
    <div className={css.scene}>
      <div className={css.picture} aria-hidden="true">
        {picture}
      </div>
      <section className={css.card} aria-labelledby="scene-card-title">
        <h1 id="scene-card-title" className={css.title}>
          {title}
        </h1>
        {children}
      </section>
    </div>
  );
}
