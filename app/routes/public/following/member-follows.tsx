// A member's follows by mail or on a device, to end one or all.
import { useLocation } from "react-router";
import type { FollowKind } from "#shared/push.ts";
import { m } from "../../../paraglide/messages.js";
import { Button } from "../../../ui/button/button.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { SettingsItem, SettingsList } from "../../../ui/settings-section/settings-section.tsx";
import { aboutText, whenText } from "./follow-text.ts";
import { FollowTitle } from "./follow-title.tsx";

type Props = {
  label: string;
  target_id: string;
  follows: {
    follow_id: string;
    kind: FollowKind;
    threshold: number | null;
    server_id: number | null;
    game_id: number | null;
    name: string | null;
    slug: string | null;
  }[];
};

export function MemberFollows({ label, target_id, follows }: Props) {
  const { pathname } = useLocation();
  return (
    <>
      <SettingsList label={label}>
        {follows.map((follow) => (
          <SettingsItem key={follow.follow_id} title={<FollowTitle {...follow} />} about={whenText(follow)}>
            <Form failed={m.failed_following()} action={pathname} preventScrollReset>
              <input type="hidden" name="follow_id" value={follow.follow_id} />
              <Button
                type="submit"
                name="intent"
                value="end"
                variant="outlined"
                size="s"
                aria-label={m.following_end_named({ name: aboutText(follow), when: whenText(follow) })}
              >
                {m.following_end()}
              </Button>
            </Form>
          </SettingsItem>
        ))}
      </SettingsList>
      {follows.length > 1 && (
        <Form failed={m.failed_following()} action={pathname} preventScrollReset>
          <input type="hidden" name="target_id" value={target_id} />
          <Button type="submit" name="intent" value="end-all" variant="tonal">
            {m.following_end_all()}
          </Button>
        </Form>
      )}
    </>
  );
}
