// The pictures of the brand: the logo and the slides of the home page, each to be replaced or taken away.
import { data, useNavigation } from "react-router";
import { PICTURE_PLACES, setSitePicture } from "#domain/media/site-pictures.ts";
import { readSiteSettings } from "#domain/site/settings.ts";
import { appContext, visitContext } from "#web/context.ts";
import { requirePermission } from "#web/guards.ts";
import { readFileForm } from "#web/request/file-form.ts";
import { ofAccount } from "#web/request/rate-limits.ts";
import { m } from "../../../paraglide/messages.js";
import { logoPicture, slidePictures } from "../../../site-pictures.ts";
import { AdminHeading } from "../../../ui/admin-heading/admin-heading.tsx";
import { Button } from "../../../ui/button/button.tsx";
import { FileField } from "../../../ui/file-field/file-field.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { useAnswer } from "../../../ui/form/use-answer.ts";
import { Notice } from "../../../ui/notice/notice.tsx";
import { PictureFrame } from "../../../ui/picture/picture-frame.tsx";
import { PICTURES_PER_ADMIN, type PictureRefusal, refusePicture, uploadedBytes } from "../picture-upload.ts";
import type { Route } from "./+types/pictures";
import css from "./pictures.module.css";

export async function loader({ context, request }: Route.LoaderArgs) {
  requirePermission({ context, request }, "settings:write");
  const { logo, slides } = await readSiteSettings(context.get(appContext).db);
  return {
    logo: logoPicture(logo),
    slides: slidePictures(slides).map((slide, index) => ({ ...slide, own: slides[index] !== null })),
  };
}

type Answer = { place: string | null; problem: string | null };

export async function action({ context, request }: Route.ActionArgs) {
  const member = requirePermission({ context, request }, "settings:write");
  const app = context.get(appContext);
  const form = await readFileForm(app, member, request);
  const place = form instanceof FormData ? (PICTURE_PLACES.find((each) => each === form.get("place")) ?? null) : null;
  const refuse = (reason: PictureRefusal, wait_s?: number) => {
    const { problem, init } = refusePicture(reason, wait_s);
    return data<Answer>({ place, problem: reason === "too-small" ? tooSmall(place) : problem }, init);
  };
  if (typeof form === "string") return refuse(form);
  if (place === null) return refuse("empty");
  const wait = await app.limits.charge([ofAccount("site-picture", member.user_id, PICTURES_PER_ADMIN)]);
  if (wait !== null) return refuse("limit", wait);
  const actor = { user_id: member.user_id, origin: context.get(visitContext) };
  const outcome = await setSitePicture(app, actor, place, await uploadedBytes(form), (error) =>
    app.log.error({ err: error }, "the store of pictures failed; the old picture stays"),
  );
  return outcome.ok ? data<Answer>({ place, problem: null }) : refuse(outcome.reason);
}

const tooSmall = (place: string | null) =>
  place === "logo" ? m.admin_settings_logo_too_small() : m.admin_settings_slide_too_small();

export const headers = ({ actionHeaders, loaderHeaders }: Route.HeadersArgs) => actionHeaders ?? loaderHeaders;

export default function SettingsPictures({ loaderData: { logo, slides }, ...props }: Route.ComponentProps) {
  const answer = useAnswer(props.actionData);
  const notice = (place: string | null) =>
    answer?.place === place && (
      <Notice tone={answer.problem ? "error" : "good"} of={answer}>
        {answer.problem ? `${m.admin_settings_not_saved()} ${answer.problem}` : m.admin_settings_saved()}
      </Notice>
    );
  return (
    <>
      <AdminHeading
        title={m.admin_settings_pictures()}
        up={{ to: "/admin/settings", words: m.admin_settings() }}
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

/** The form of one place; `remove`: what taking its picture away is called, null when there is none. */
function Change({ place, label, hint, remove }: { place: string; label: string; hint: string; remove: string | null }) {
  const { formData } = useNavigation();
  const pending = formData?.get("place") === place ? (formData.get("intent") ?? "upload") : null;
  // What the button is about, for those who do not see the section around it.
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
