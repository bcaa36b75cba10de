// Pages are read anew whenever something on the site changes: what was answered and what is being written must survive that.
import { useState } from "react";
import { useLocation } from "react-router";

/**
 * What the page's action answered last, `undefined` before. The router forgets it when the page's data is read anew, and when
 * a form got no answer; here it is forgotten on another page, and when an action has led to this one.
 */
export function useAnswer<Answer>(answer: Answer | undefined): Answer | undefined {
  const { pathname, key, state } = useLocation();
  const [kept, setKept] = useState({ answer, pathname, key });
  const ledHere = key !== kept.key && (state as { _isRedirect?: boolean } | null)?._isRedirect === true;
  if (pathname === kept.pathname && !ledHere && (answer === undefined || answer === kept.answer)) return kept.answer;
  setKept({ answer, pathname, key });
  return answer;
}

/** What a form was made from: what somebody else saves meanwhile does not reach into it, a save has to run into it. */
export function useStill<Value>(value: Value): Value {
  const { pathname } = useLocation();
  const [still, setStill] = useState({ value, pathname });
  if (pathname === still.pathname) return still.value;
  setStill({ value, pathname });
  return value;
}
