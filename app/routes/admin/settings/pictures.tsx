// Manages the brand's pictures: replace or remove the logo and the slides of the home page.
import { useNavigation } from "react-router";
import { PICTURE_PLACES, setSitePicture } from "#domain/media/site-pictures.ts";
import { readSiteSettings } from "#domain/site/settings.ts";
import { appContext } from "#web/context.ts";
import { done, handleForm, permitted, refuse } from "#web/forms/handle-form.ts";
import { requirePermission } from "#web/guards.ts";
import type { RouteFacts } from "#web/pages/route-facts.ts";
import { m } from "../../../paraglide/messages.js";
import { logoPicture, slidePictures } from "../../../site-pictures.ts";
import { AdminHeading } from "../../../ui/admin-heading/admin-heading.tsx";
import { Button } from "../../../ui/button/button.tsx";
import { FileField } from "../../../ui/file-field/file-field.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { useAnswer } from "../../../ui/form/use-answer.ts";
import { AnswerNotice } from "../../../ui/notice/answer-notice.tsx";
import { PictureFrame } from "../../../ui/picture/picture-frame.tsx";
import { receivePicture, refusePicture, uploadedBytes } from "../picture-upload.ts";
import type { Route } from "./+types/pictures";
import css from "./pictures.module.css";

export const handle: RouteFacts = { takesFiles: true };

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission({ context, url }, "settings:write");
  const { logo, slides } = await readSiteSettings(context.get(appContext).db);
  return {
    logo: logoPicture(logo),
    slides: slidePictures(slides).map((slide, index) => ({ ...slide, own: slides[index] !== null })),
  };
}

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    who: permitted("settings:write"),
    receive: receivePicture(asked, "site-picture"),
    read: (form) => PICTURE_PLACES.find((each) => each === form.get("place")) ?? null,
    async act({ given: place, form, app, actor }) {
      if (place === null) return refusePicture("empty");
      const outcome = await setSitePicture(app, actor, place, await uploadedBytes(form), (error) =>
        app.log.error({ err: error }, "the store of pictures failed; the old picture stays"),
      );
      if (outcome.ok) return done(true);
      return outcome.reason === "too-small" ? refuse(422, tooSmall(place)) : refusePicture(outcome.reason);
    },
  });
}

const tooSmall = (place: string) =>
  place === "logo" ? m.admin_settings_logo_too_small() : m.admin_settings_slide_too_small();

export const headers = ({ actionHeaders, loaderHeaders }: Route.HeadersArgs) => actionHeaders ?? loaderHeaders;

export default function SettingsPictures({ loaderData: { logo, slides }, ...props }: Route.ComponentProps) {
  const answer = useAnswer(props.actionData);
  const notice = (place: string | null) =>
    answer?.given === place && (
      <AnswerNotice answer={answer} failed={m.admin_settings_not_saved()} done={m.admin_settings_saved()} />
    );
  return (
    <>
      <AdminHeading
        title={m.admin_settings_pictures()}
        up={{ to: "/admin/settings", label: m.admin_settings() }}
        note={m.admin_settings_pictures_note()}
      />
      <div className={css.places}>
        {notice(null)}
        <section className={css.place} aria-labelledby="logo">
          <h2 id="logo">{m.admin_settings_logo()}</h2>
          {notice("logo")}
          {logo ? (
            <p className={css.logo}>
              <img {...logo} alt={m.admin_settings_logo()} />
            </p>
          ) : (
            <p className={css.hint}>{m.admin_settings_logo_none()}</p>
          )}
          <Change
            place="logo"
            label={m.admin_settings_logo()}
            hint={m.admin_settings_logo_hint()}
            remove={logo && m.admin_settings_logo_remove()}
          />
        </section>
        {slides.map(({ name, files, portrait, own }, index) => {
          const place = `slide-${index + 1}`;
          const number = index + 1;
          const title = m.admin_settings_slide({ number });
          return (
            <section key={place} className={css.place} aria-labelledby={place}>
              <h2 id={place}>{title}</h2>
              {notice(place)}
              <div className={css.slide} key={name}>
                <div className={css.landscape}>
                  <PictureFrame
                    files={files}
                    alt={m.admin_settings_slide_now({ number })}
                    sizes="(width < 50rem) 70vw, 34rem"
                  />
                </div>
                <div className={css.portrait}>
                  <PictureFrame
                    files={portrait}
                    alt={m.admin_settings_slide_now_portrait({ number })}
                    sizes="(width < 50rem) 20vw, 11rem"
                  />
                </div>
              </div>
              <Change
                place={place}
                label={title}
                hint={m.admin_settings_slide_hint()}
                remove={own ? m.admin_picture_remove() : null}
              />
            </section>
          );
        })}
      </div>
    </>
  );
}

/** Form of one place; `remove`: label of the remove button, null if there is no picture. */
function Change({ place, label, hint, remove }: { place: string; label: string; hint: string; remove: string | null }) {
  const { formData } = useNavigation();
  const pending = formData?.get("place") === place ? (formData.get("intent") ?? "upload") : null;
  // Names the subject of the button, for screen readers.
  const about = <span className="visually-hidden"> {label}</span>;
  return (
    <Form failed={m.failed_picture()} encType="multipart/form-data" className={css.form}>
      <input type="hidden" name="place" value={place} />
      <FileField name="picture" label={m.admin_settings_picture_choose({ place: label })} hint={hint} />
      <div className={css.acts}>
        <Button type="submit" size="s" loading={pending === "upload"}>
          {m.admin_picture_upload()}
          {about}
        </Button>
        {remove !== null && (
          <Button
            type="submit"
            name="intent"
            value="remove"
            formNoValidate
            variant="outlined"
            size="s"
            loading={pending === "remove"}
          >
            {remove}
            {about}
          </Button>
        )}
      </div>
    </Form>
  );
}
