// Forms on pages that are read anew whenever something on the site changes: what was answered and what is being written must
// survive that.
import { useState } from "react";
import { useLocation } from "react-router";

/** What the page's action answered last. The router forgets it when the page's data is read anew. */
export function useAnswer<Answer>(answer: Answer | undefined): Answer | undefined {
  const { pathname } = useLocation();
  const [kept, setKept] = useState({ answer, pathname });
  if (pathname === kept.pathname && (answer === undefined || answer === kept.answer)) return kept.answer;
  setKept({ answer, pathname });
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
