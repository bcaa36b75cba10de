// Holds a link that is chosen while a form is under way until the answer, and says so if that takes long; offline, a chosen link
// leaves the page as it is.
import { useEffect, useState } from "react";
import { type BlockerFunction, useBlocker } from "react-router";
import { m } from "../../paraglide/messages.js";
import { Alert } from "../alert/alert.tsx";
import { Button } from "../button/button.tsx";
import css from "./over-page.module.css";
import { lostPageStore } from "./sent-forms.ts";
import { hold, isUnderWay, leaveNow } from "./under-way.ts";

/** Most forms are answered within this time. */
const LONG_MS = 400;

const mayNotLeave: BlockerFunction = (leaving) => isUnderWay() || isWithoutNetwork(leaving);

/** If a script can't be fetched, the router reloads the page, which the browser replaces with its own error. */
const isWithoutNetwork: BlockerFunction = ({ currentLocation: from, nextLocation: to, historyAction }) =>
  !navigator.onLine && historyAction !== "POP" && from.pathname + from.search !== to.pathname + to.search;

export function HeldLink() {
  const blocker = useBlocker(mayNotLeave);
  const [long, setLong] = useState(false);
  const waits = blocker.state === "blocked";
  useEffect(() => {
    if (blocker.state !== "blocked") return;
    if (isUnderWay() || navigator.onLine) return hold(blocker);
    lostPageStore.set(blocker.location.pathname + blocker.location.search);
    blocker.reset();
  }, [blocker]);
  useEffect(() => {
    if (!waits) return;
    const timer = setTimeout(() => setLong(true), LONG_MS);
    return () => {
      clearTimeout(timer);
      setLong(false);
    };
  }, [waits]);
  useEffect(() => {
    if (blocker.state !== "blocked") return;
    const stay = ({ key }: KeyboardEvent) => key === "Escape" && blocker.reset();
    addEventListener("keydown", stay);
    return () => removeEventListener("keydown", stay);
  }, [blocker]);
  // Closing the page or leaving the site: the browser asks in its own words.
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (isUnderWay()) event.preventDefault();
    };
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, []);
  if (blocker.state !== "blocked" || !long) return null;
  return (
    <div className={css.notice}>
      <Alert tone="plain">
        {m.form_held()}
        <span className={css.acts}>
          <Button variant="outlined" onClick={() => blocker.reset()}>
            {m.form_held_stay()}
          </Button>
          <Button variant="tonal" onClick={() => leaveNow(blocker)}>
            {m.form_held_leave()}
          </Button>
        </span>
      </Alert>
    </div>
  );
}
