// A shipped picture, by name. Where a loader can look it up, PictureFrame avoids sending the list of files.
import type { ComponentProps } from "react";
import { findPicture } from "../../pictures.ts";
import { PictureFrame } from "./picture-frame.tsx";

type Props = { name: string; portrait?: string } & Omit<ComponentProps<typeof PictureFrame>, "files" | "portrait">;

export function Picture({ name, portrait, ...rest }: Props) {
  return <PictureFrame {...rest} files={findPicture(name)} portrait={portrait ? findPicture(portrait) : null} />;
}
