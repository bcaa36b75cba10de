// Removes a picture after confirmation in a popover, which works without script.
import { useEffect, useRef } from "react";
import { useNavigation } from "react-router";
import type { FormAnswer } from "#shared/form-answer.ts";
import { m } from "../../../paraglide/messages.js";
import { Button } from "../../../ui/button/button.tsx";
import { Form } from "../../../ui/form/form.tsx";
import css from "./media.module.css";

type Props = {
  id: string;
  /** Its name in the list. */
  name: string;
  thumbnail: string | null;
  /** Of the page's forms; shown at the top of the page. */
  answer: FormAnswer | undefined;
};

export function RemovePicture({ id, name, thumbnail, answer }: Props) {
  const asks = useRef<HTMLDivElement>(null);
  const { formData } = useNavigation();
  const popover = `remove-${id}`;
  const title = `${popover}-title`;
  // The answer is shown behind the popover.
  useEffect(() => {
    if (answer && asks.current?.matches(":popover-open")) asks.current.hidePopover();
  }, [answer]);
  return (
    <>
      <Button popoverTarget={popover} variant="tonal" size="s" aria-label={m.admin_media_remove_of({ name })}>
        {m.admin_remove()}
      </Button>
      <div id={popover} popover="auto" ref={asks} role="dialog" aria-labelledby={title} className={css.sure}>
        <Form failed={m.failed_media()} className={css.form} preventScrollReset>
          <h2 id={title}>{m.admin_media_sure({ name })}</h2>
          {thumbnail && <img src={`/media/${thumbnail}`} alt="" loading="lazy" />}
          <p>{m.admin_no_way_back()}</p>
          <input type="hidden" name="media_id" value={id} />
          <div className={css.acts}>
            <span className={css.danger}>
              <Button type="submit" variant="outlined" loading={formData?.get("media_id") === id}>
                {m.admin_remove()}
              </Button>
            </span>
            <Button popoverTarget={popover} popoverTargetAction="hide" variant="tonal">
              {m.admin_cancel()}
            </Button>
          </div>
        </Form>
      </div>
    </>
  );
}
