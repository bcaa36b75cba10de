// Avatar with a menu to remove it or upload another. Without script a plain form is shown beside it.
import { useRef, useState } from "react";
import { useNavigation, useRevalidator } from "react-router";
import { here } from "../../language.ts";
import { announce } from "../../live/auth-events.ts";
import { m } from "../../paraglide/messages.js";
import { Button } from "../../ui/button/button.tsx";
import { CropDialog } from "../../ui/crop-dialog/crop-dialog.tsx";
import { Form } from "../../ui/form/form.tsx";
import css from "./avatar-editor.module.css";

type Props = { name: string; avatarUrl: string | null };

export function AvatarEditor({ name, avatarUrl }: Props) {
  const [open, setOpen] = useState(false);
  const menu = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const { revalidate } = useRevalidator();
  const removing = useNavigation().formData?.get("intent") === "remove-avatar";

  const send = async (picture: Blob, progress: (done: number) => void) => {
    const failure = await upload(here("/user/settings/avatar"), picture, progress);
    if (failure !== null) return failure;
    announce("USER_UPDATED");
    await revalidate();
    opener.current?.focus();
    return null;
  };

  return (
    <div className={css.editor}>
      <button
        ref={opener}
        type="button"
        popoverTarget="avatar-editor-menu"
        className={css.opener}
        aria-label={m.account_avatar_menu()}
        title={m.account_avatar_menu()}
      >
        <span className={css.avatar} data-busy={removing ? "" : undefined}>
          {avatarUrl ? (
            <img src={avatarUrl} alt={m.account_avatar_yours()} width="96" height="96" />
          ) : (
            [...name][0]?.toUpperCase()
          )}
        </span>
        <span className={css.pen}>
          <svg viewBox="0 0 20 20" aria-hidden="true">
            <path d="m12.5 4.5 3 3L7 16l-3.6.6L4 13z" />
          </svg>
        </span>
      </button>
      <div id="avatar-editor-menu" popover="auto" ref={menu} className={css.menu}>
        <button
          type="submit"
          form="avatar-remove"
          name="intent"
          value="remove-avatar"
          className={css.item}
          disabled={!avatarUrl}
        >
          {m.account_avatar_remove()}
        </button>
        <button
          type="button"
          className={`${css.item} ${css.withScript}`}
          onClick={() => {
            menu.current?.hidePopover();
            setOpen(true);
          }}
        >
          {m.account_avatar_upload()}
        </button>
      </div>
      {/* Outside the menu, which closes: shows what failed. */}
      <Form
        id="avatar-remove"
        failed={m.failed_avatar()}
        action={here("/user/settings/profile/")}
        onSubmit={() => menu.current?.hidePopover()}
        preventScrollReset
      >
        {null}
      </Form>
      <form
        method="post"
        action={here("/user/settings/profile/")}
        encType="multipart/form-data"
        className={css.withoutScript}
      >
        <input type="hidden" name="intent" value="upload-avatar" />
        <label className={css.file}>
          {m.account_avatar_file()}
          <input type="file" name="avatar" accept="image/*" required />
        </label>
        <Button type="submit" variant="tonal">
          {m.account_avatar_upload()}
        </Button>
      </form>
      <CropDialog open={open} onClose={() => setOpen(false)} send={send} />
    </div>
  );
}

/** Uploads by XMLHttpRequest, which reports progress. Null: stored; otherwise the reason as a text. */
function upload(address: string, picture: Blob, progress: (done: number) => void): Promise<string | null> {
  return new Promise((resolve) => {
    const form = new FormData();
    form.set("avatar", picture, "avatar");
    const request = new XMLHttpRequest();
    request.open("POST", address);
    request.timeout = 60_000;
    request.responseType = "json";
    request.upload.onprogress = ({ loaded, total }) => progress(total > 0 ? loaded / total : 0);
    request.onload = () => resolve(request.status === 200 ? null : (request.response?.error ?? m.form_silent()));
    request.onerror = () => resolve(m.form_lost());
    request.ontimeout = () => resolve(m.form_silent());
    request.send(form);
  });
}
