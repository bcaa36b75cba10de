// The link to the same page in the other language, in its own words. The server finds that address, remembers the choice and
// takes it off the address again, so that it works without script, and on a page that does not know its own address.
import { useLocation } from "react-router";
import { language } from "../../language.ts";
import { m } from "../../paraglide/messages.js";

export function LanguageSwitch({ className }: { className?: string | undefined }) {
  const { search, mask } = useLocation();
  const other = language() === "de" ? "en" : "de";
  const query = new URLSearchParams(mask?.search ?? search);
  query.set("locale", other);
  return (
    <a href={`?${query}`} hrefLang={other} lang={other} rel="nofollow" className={className}>
      {m.language_switch()}
    </a>
  );
}
