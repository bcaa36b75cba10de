// Crop box, loaded on demand. Its style sheet is a file, because the CSP allows no other styles.
import { useState } from "react";
import Cropper from "react-easy-crop";
import "react-easy-crop/react-easy-crop.css";
import { m } from "../../paraglide/messages.js";
import css from "./crop-dialog.module.css";
import type { Area } from "./draw-crop.ts";

const ZOOM = { min: 1, max: 4, step: 0.05 };

type Props = {
  /** An address of the picture that the CSP allows. */
  picture: string;
  disabled: boolean;
  onArea: (area: Area) => void;
  onBroken: () => void;
};

export default function CropBox({ picture, disabled, onArea, onBroken }: Props) {
  const [crop, setCrop] = useState({ x: 0, y: 0 });
  const [zoom, setZoom] = useState(1);
  return (
    <>
      <div className={css.stage}>
        <Cropper
          image={picture}
          crop={crop}
          zoom={zoom}
          minZoom={ZOOM.min}
          maxZoom={ZOOM.max}
          aspect={1}
          keyboardStep={6}
          disableAutomaticStylesInjection
          onCropChange={disabled ? () => {} : setCrop}
          onZoomChange={disabled ? () => {} : setZoom}
          onCropComplete={(_percent, pixels) => onArea(pixels)}
          cropperProps={{ role: "group", "aria-label": m.account_crop_area(), "aria-describedby": "crop-keys" }}
          mediaProps={{ onError: onBroken, alt: "" }}
        />
      </div>
      <p id="crop-keys" className={css.keys}>
        {m.account_crop_keys()}
      </p>
      <label className={css.zoom}>
        <span>{m.account_crop_zoom()}</span>
        <input
          type="range"
          min={ZOOM.min}
          max={ZOOM.max}
          step={ZOOM.step}
          value={zoom}
          disabled={disabled}
          aria-valuetext={`${Math.round(zoom * 100)} %`}
          onChange={(event) => setZoom(Number(event.target.value))}
        />
      </label>
    </>
  );
}
