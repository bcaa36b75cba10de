// The site's form: fields show their own errors; without an answer it stays, says what happened, and can be sent again.
import { type ComponentProps, type ReactNode, type SubmitEvent, useEffect, useRef, useState } from "react";
import { type FetcherWithComponents, Form as RouterForm, useLocation, useNavigation } from "react-router";
import { OlderAnswers } from "../alert/alert.tsx";
import { type Failed, NoAnswer } from "./no-answer.tsx";
import { aboutToSend, hasFields, leftFormStore } from "./sent-forms.ts";
import type { Unanswered } from "./unanswered.ts";
import { isUnderWay } from "./under-way.ts";

type Props = Omit<ComponentProps<typeof RouterForm>, "method" | "children"> & {
  failed: Failed;
  /** Sends it without leaving the page. */
  fetcher?: Pick<FetcherWithComponents<unknown>, "Form"> | undefined;
  children: ReactNode;
};

/** `place`: part of the page around the form, which remains when the form is removed. */
type Sent = { form: HTMLFormElement; submitter: HTMLElement | null; place: HTMLElement | null };

/** Posts. The browser keeps typed text and chosen files as long as the fields stay uncontrolled. */
export function Form({ failed, fetcher, onSubmit, children, ...rest }: Props) {
  const { pathname, search } = useLocation();
  const [failure, setFailure] = useState<{ is: Unanswered; on: string; typed: boolean } | null>(null);
  const [refusedOn, setRefusedOn] = useState<string | null>(null);
  const navigation = useNavigation();
  const sending = navigation.formMethod === "POST";
  const sent = useRef<Sent | null>(null);
  const next = useRef<Sent | null>(null);
  const onTheWay = useRef(false);
  const waitsForAnswer = useRef(false);
  // Failures on another page no longer count.
  const told = failure?.on === pathname ? failure : null;

  useEffect(() => {
    onTheWay.current = navigation.state === "loading";
    if (navigation.state !== "idle") return;
    if (waitsForAnswer.current && sent.current) bringAnswerIntoView(sent.current.form);
    waitsForAnswer.current = false;
    if (!next.current) return;
    const { form, submitter } = next.current;
    next.current = null;
    if (form.isConnected) form.requestSubmit(submitter?.isConnected ? submitter : null);
  }, [navigation.state]);

  // Its row is gone, or it is a new form: the focused button was removed with it.
  useEffect(
    () => () => {
      if (waitsForAnswer.current && sent.current) keepFocus(sent.current.place);
    },
    [],
  );

  function send(event: SubmitEvent<HTMLFormElement>) {
    const form = event.currentTarget;
    const { submitter } = event.nativeEvent;
    const place = form.closest("section") ?? form.closest("main");
    if (!isUnchecked(submitter) && !form.checkValidity()) {
      event.preventDefault();
      setRefusedOn(pathname);
      // A field without its own text is still reported, by the browser.
      if (!form.querySelector(":focus:invalid")) form.reportValidity();
      return;
    }
    // Sending another form would abort the one under way: it waits; the same form isn't sent twice.
    if (!fetcher && isUnderWay()) {
      event.preventDefault();
      if (!isUnderWay(form)) next.current = { form, submitter, place };
      return;
    }
    onSubmit?.(event);
    if (event.defaultPrevented) return;
    sent.current = { form, submitter, place };
    waitsForAnswer.current = !fetcher;
    setFailure(null);
    setRefusedOn(null);
    aboutToSend({
      form,
      fetcher: fetcher !== undefined,
      path: new URL(form.getAttribute("action") ?? "", location.href).pathname,
      tell(is) {
        const left = !form.isConnected || location.pathname !== pathname || (fetcher && onTheWay.current);
        if (left) leftFormStore.set({ failed, failure: is, address: pathname + search });
        // Its page shows the answer.
        else if (is !== "refused") setFailure({ is, on: pathname, typed: hasFields(form) });
      },
    });
  }
  function sendAgain() {
    if (!sent.current) return;
    const { form, submitter } = sent.current;
    const same = submitter?.isConnected && (submitter as HTMLButtonElement).form === form ? submitter : null;
    // The pressed button disappears with its message.
    (same ?? form.querySelector<HTMLElement>("[type=submit]"))?.focus({ preventScroll: true });
    form.requestSubmit(same);
  }

  const Sending: typeof RouterForm = fetcher?.Form ?? RouterForm;
  return (
    <Sending {...rest} method="post" noValidate onSubmit={send}>
      <OlderAnswers value={told || refusedOn === pathname ? "all" : sending ? "good" : null}>{children}</OlderAnswers>
      {told && <NoAnswer failed={failed} failure={told.is} typed={told.typed} onAgain={sendAgain} />}
    </Sending>
  );
}

/** True for buttons that change a part of the form without validation. */
const isUnchecked = (submitter: HTMLElement | null) =>
  submitter instanceof HTMLButtonElement && submitter.formNoValidate;

/** Scrolls to the page's message about a form, which may be far above the button. Fields with errors focus themselves. */
function bringAnswerIntoView(form: HTMLFormElement): void {
  // After the router has restored the scroll position.
  requestAnimationFrame(() => {
    if (!form.isConnected || form.querySelector("[aria-invalid=true]")) return;
    bringIntoView(form.querySelector(ANSWER) ?? form.closest("main")?.querySelector(ANSWER));
  });
}

/** Moves the focus to the message about a removed form; without one, to the part of the page that contained it. */
function keepFocus(place: HTMLElement | null): void {
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return;
    const main = document.querySelector("main");
    const answer = main?.querySelector<HTMLElement>(ANSWER);
    const next = answer ?? (place?.isConnected ? place : main);
    if (!next) return;
    next.tabIndex = -1;
    next.focus({ preventScroll: true });
    bringIntoView(answer);
  });
}

function bringIntoView(answer: Element | null | undefined): void {
  const box = answer?.getBoundingClientRect();
  if (!box || (box.top >= TOP_BARS && box.bottom <= innerHeight)) return;
  answer?.scrollIntoView({ block: "center" });
}

const ANSWER = "[data-answer]";
/** Height of the fixed bars at most, in px. */
const TOP_BARS = 112;
