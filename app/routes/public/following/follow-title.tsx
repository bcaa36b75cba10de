// Head of a follow's row: its subject, as a link if there is a page.
import { Link } from "../../../ui/link/link.tsx";
import { aboutText } from "./follow-text.ts";

type Props = { name: string | null; server_id: number | null; game_id: number | null; slug: string | null };

export function FollowTitle({ slug, ...about }: Props) {
  const text = aboutText(about);
  if (about.name !== null && about.server_id !== null) return <Link to={`/servers/${about.server_id}`}>{text}</Link>;
  return about.name !== null && slug !== null ? <Link to={`/games/${slug}`}>{text}</Link> : text;
}
