// Keeps answers and input across reloads of a page's data, which happen whenever the site changes.
import { useState } from "react";
import { useLocation, useNavigation } from "react-router";
import { STAYS } from "./stays.ts";

/**
 * Returns the last answer of the page's action, `undefined` before. The router drops it on reloads, and after an unanswered form;
 * this hook drops it on another page, and after a redirect to this one.
 */
export function useAnswer<Answer>(answer: Answer | undefined): Answer | undefined {
  const { pathname, key, state } = useLocation();
  const sending = useNavigation().formMethod === "POST";
  const [kept, setKept] = useState({ answer, pathname, key, sending });
  const arrived = key !== kept.key;
  const ledHere = arrived && kept.sending && state !== STAYS;
  const keeps = pathname === kept.pathname && !ledHere && (answer === undefined || answer === kept.answer);
  if (keeps && !arrived && sending === kept.sending) return kept.answer;
  const now = keeps ? kept.answer : answer;
  setKept({ answer: now, pathname, key, sending });
  return now;
}

/** Returns the value that a form was made from: others' later saves don't change it; saving must detect the conflict. */
export function useStill<Value>(value: Value): Value {
  const { pathname } = useLocation();
  const [still, setStill] = useState({ value, pathname });
  if (pathname === still.pathname) return still.value;
  setStill({ value, pathname });
  return value;
}
