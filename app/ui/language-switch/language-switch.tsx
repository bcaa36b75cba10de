// Link to the same page in the other language, named in that language. The server finds the address, stores the choice and removes
// it from the address, so that it works without script, and on a page that doesn't know its address.
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
