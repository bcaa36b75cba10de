// The form of the site: its fields say themselves what they lack, and where no answer comes, it stays as it is, says what
// happened, and can be sent once more.
import { type ComponentProps, type ReactNode, type SubmitEvent, useEffect, useRef, useState } from "react";
import { type FetcherWithComponents, Form as RouterForm, useLocation, useNavigation } from "react-router";
import { OlderAnswers } from "../alert/alert.tsx";
import { type Failed, NoAnswer } from "./no-answer.tsx";
import { aboutToSend, hasFields, leftFormStore } from "./sent-forms.ts";
import type { Unanswered } from "./unanswered.ts";
import { isUnderWay } from "./under-way.ts";

type Props = Omit<ComponentProps<typeof RouterForm>, "method" | "children"> & {
  failed: Failed;
  /** Given: sends it without leaving the page. */
  fetcher?: Pick<FetcherWithComponents<unknown>, "Form"> | undefined;
  children: ReactNode;
};

/** `place`: the part of the page that it stands in, which is there also when it is not any more. */
type Sent = { form: HTMLFormElement; submitter: HTMLElement | null; place: HTMLElement | null };

/** Posts. What is typed into it, also a chosen file, is kept by the browser as long as its fields stay uncontrolled. */
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
  // What failed on another page is over.
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

  // Its row is gone, or it is a new form: the button that had the focus is gone with it.
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
      // A field without a text of its own is still told of, by the browser.
      if (!form.querySelector(":focus:invalid")) form.reportValidity();
      return;
    }
    // Another form's sending would end the one that is under way: it comes after that, and the same one not twice.
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
        // What its page has answered is said there.
        else if (is !== "refused") setFailure({ is, on: pathname, typed: hasFields(form) });
      },
    });
  }
  function sendAgain() {
    if (!sent.current) return;
    const { form, submitter } = sent.current;
    const same = submitter?.isConnected && (submitter as HTMLButtonElement).form === form ? submitter : null;
    // The button that was pressed here goes away with what it stands in.
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

/** Of buttons that change a part of the form, whatever the rest of it says. */
const isUnchecked = (submitter: HTMLElement | null) =>
  submitter instanceof HTMLButtonElement && submitter.formNoValidate;

/** What the page says of a form stands at its head; the button that sent it may be far below. Fields in error are led to by themselves. */
function bringAnswerIntoView(form: HTMLFormElement): void {
  // After the router has restored where the page was scrolled to.
  requestAnimationFrame(() => {
    if (!form.isConnected || form.querySelector("[aria-invalid=true]")) return;
    bringIntoView(form.querySelector(ANSWER) ?? form.closest("main")?.querySelector(ANSWER));
  });
}

/** Whoever goes by keyboard stands at what is said of the form that is gone; where nothing is, at the part of the page that it stood in. */
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
/** As much as the fixed bars cover at most, in px. */
const TOP_BARS = 112;
