// Keeps answers and input across reloads of a page's data, which happen whenever the site changes.
import { useState } from "react";
import { useLocation } from "react-router";

/**
 * Returns the last answer of the page's action, `undefined` before. The router drops it on reloads, and after an unanswered form;
 * this hook drops it on another page, and after a redirect to this one.
 */
export function useAnswer<Answer>(answer: Answer | undefined): Answer | undefined {
  const { pathname, key, state } = useLocation();
  const [kept, setKept] = useState({ answer, pathname, key });
  const ledHere = key !== kept.key && (state as { _isRedirect?: boolean } | null)?._isRedirect === true;
  if (pathname === kept.pathname && !ledHere && (answer === undefined || answer === kept.answer)) return kept.answer;
  setKept({ answer, pathname, key });
  return answer;
}

/** Returns the value that a form was made from: others' later saves don't change it; saving must detect the conflict. */
export function useStill<Value>(value: Value): Value {
  const { pathname } = useLocation();
  const [still, setStill] = useState({ value, pathname });
  if (pathname === still.pathname) return still.value;
  setStill({ value, pathname });
  return value;
}
