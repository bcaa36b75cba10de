// A card over a darkened scene: frame of all login pages.
import type { ReactNode } from "react";
import css from "./scene-card.module.css";

type Props = {
  /** Picture behind the card. */
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
