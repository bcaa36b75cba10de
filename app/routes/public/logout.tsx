// Signing out: a form that asks once, so that a link from elsewhere signs nobody out.
import { Form, redirect, redirectDocument, useLocation } from "react-router";
import { signOut } from "#web/auth-actions.ts";
import { appContext, memberContext, visitContext } from "#web/context.ts";
import { addressIn, spokenAt } from "../../spoken.ts";
import { Button } from "../../ui/button/button.tsx";
import { Picture } from "../../ui/picture/picture.tsx";
import { SceneCard } from "../../ui/scene-card/scene-card.tsx";
import type { Route } from "./+types/logout";

const TEXT = {
  en: { title: "Log out", ask: "Do you want to log out on this device?", act: "Log out" },
  de: { title: "Abmelden", ask: "Möchtest du dich auf diesem Gerät abmelden?", act: "Abmelden" },
};

export function loader({ context, request }: Route.LoaderArgs) {
  if (!context.get(memberContext)) throw redirect(addressIn(spokenAt(new URL(request.url).pathname), "/"));
  return null;
}

export async function action({ context, request }: Route.ActionArgs) {
  const headers = await signOut(context.get(appContext), context.get(visitContext), context.get(memberContext));
  throw redirectDocument(addressIn(spokenAt(new URL(request.url).pathname), "/"), { headers });
}

export default function Logout() {
  const spoken = spokenAt(useLocation().pathname);
  const t = TEXT[spoken];
  return (
    <SceneCard picture={<Picture name="slide-3" portrait="slide-3-portrait" alt="" sizes="100vw" />} title={t.title}>
      <title>{t.title}</title>
      <p>{t.ask}</p>
      <Form method="post">
        <Button type="submit" size="l">
          {t.act}
        </Button>
      </Form>
    </SceneCard>
  );
}
