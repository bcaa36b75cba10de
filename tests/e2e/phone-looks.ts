/** Looks at a page as a phone shows it: nothing wider than the screen, every bar and every control inside it, no text cut off or out of line. */
import type { Page } from "@playwright/test";

/** The narrowest phones there are, most Androids, most iPhones. Widths in px. */
export const PHONES = [320, 360, 390] as const;

/** For a browser: a phone's screen, its layout viewport, its touch. */
export const PHONE = { viewport: { width: 320, height: 700 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 };

/** What is wrong with the page as it stands, on each phone: closed, with all that can be opened in it, and with each menu. */
export async function lookOnPhones(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const width of PHONES) {
    await page.setViewportSize({ width, height: 700 });
    faults.push(...(await page.evaluate(look, width)).map((fault) => `${width} px${fault}`));
  }
  return faults;
}

/** Runs in the browser. What is wrong, with the state in front of it. */
function look(width: number): string[] {
  const CONTROLS = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']";
  const faults: string[] = [];
  const nameOf = (element: Element) =>
    `${element.tagName.toLowerCase()}.${element.getAttribute("class") ?? element.id} “${(element.getAttribute("aria-label") ?? element.textContent ?? "").trim().slice(0, 30)}”`;

  /** By element, for as long as nothing on the page changes: siblings have the same frame, and there are thousands. */
  let framed = [new Map<Element, Element | null>(), new Map<Element, Element | null>()] as const;

  /** What an element is cut off by or scrolls in: not the page itself, and nothing that it is taken out of by its position. */
  function frameOf(element: Element, scrolling: boolean): Element | null {
    const { position } = getComputedStyle(element);
    if (position === "fixed") return null;
    return frameFrom(
      position === "absolute" && element instanceof HTMLElement ? element.offsetParent : element.parentElement,
      scrolling,
    );
  }
  function frameFrom(at: Element | null, scrolling: boolean): Element | null {
    if (!at || at === document.body) return null;
    const known = framed[scrolling ? 1 : 0];
    let frame = known.get(at);
    if (frame === undefined) {
      const { overflowX, position } = getComputedStyle(at);
      if (overflowX === "auto" || overflowX === "scroll" || (!scrolling && overflowX !== "visible")) frame = at;
      else frame = position === "fixed" ? null : frameFrom(at.parentElement, scrolling);
      known.set(at, frame);
    }
    return frame;
  }
  const inside = ({ left, right }: { left: number; right: number }) => left >= -0.5 && right <= width + 0.5;

  const told = new Set<string>();

  /** What stands out of the line or the size of what is around it. */
  function measureForm(): void {
    for (const absent of document.querySelectorAll('main [data-known="no"]')) {
      const size = Number.parseFloat(getComputedStyle(absent).fontSize);
      if (size > 17) faults.push(`: ${nameOf(absent)} is a word, and as big as a figure (${size} px)`);
    }
    const heading = document.querySelector("main h1")?.getBoundingClientRect();
    const bar = document.querySelector("header");
    if (heading && bar && getComputedStyle(bar).position === "fixed" && heading.width > 1) {
      const top = heading.top + scrollY;
      if (top < bar.offsetHeight) faults.push(`: the heading begins at ${top}, under the bar`);
    }
    for (const chosen of document.querySelectorAll('main nav a[aria-current="page"]')) {
      const { left } = chosen.getBoundingClientRect();
      if (heading && !frameOf(chosen, true) && left < heading.left - 0.5)
        faults.push(`: ${nameOf(chosen)} begins at ${left}, the page at ${heading.left}`);
    }
  }

  /** Measures the page, and of its elements those in `roots`. */
  function measure(state: string, roots: Element[]): void {
    const tell = (fault: string) => faults.push(`${state}: ${fault}`);
    framed = [new Map(), new Map()];
    const { scrollWidth } = document.documentElement;
    if (Math.max(scrollWidth, document.body.scrollWidth) > width)
      tell(`the page is ${Math.max(scrollWidth, document.body.scrollWidth)} px wide`);
    // A page that is too wide is shown smaller, and the window that fixed bars hold on to grows with it.
    if (innerWidth !== width) tell(`it is shown as if the screen were ${innerWidth} px wide`);
    const found: string[] = [];
    const outside: Element[] = [];
    const unseen = new Set<Element | null>();
    for (const element of roots.flatMap((root) => [root, ...root.querySelectorAll("*")])) {
      if (element instanceof SVGElement && element.parentElement?.closest("svg")) continue;
      if (!element.checkVisibility({ visibilityProperty: true })) continue;
      const style = getComputedStyle(element);
      // Texts for screen readers stand on the page if what they stand in does not hold them.
      const scrolls = [style.overflowX, style.overflowY].some((way) => way === "auto" || way === "scroll");
      if (scrolls && style.position === "static" && !element.matches("textarea, select, input"))
        found.push(`${nameOf(element)} scrolls, and does not hold what is positioned in it`);
      const box = element.getBoundingClientRect();
      // Of one pixel: a text for screen readers, or in one.
      const small = box.width <= 1 || box.height <= 1;
      if (unseen.has(element.parentElement) || (small && style.overflowX !== "visible")) unseen.add(element);
      if (small || unseen.has(element)) continue;
      const own = [...element.childNodes].filter(
        (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
      );
      if (!inside(box)) {
        // A picture may be cut off. A text says so by three dots, and to a control one scrolls.
        const frame = frameOf(element, element.matches(CONTROLS));
        const says = frame && getComputedStyle(frame);
        const shows =
          says && (says.overflowX === "auto" || says.overflowX === "scroll" || says.textOverflow === "ellipsis");
        if (!frame || !inside(frame.getBoundingClientRect()) || (own.length > 0 && !shows)) outside.push(element);
        continue;
      }
      for (const node of own) {
        const range = document.createRange();
        range.selectNode(node);
        const text = range.getBoundingClientRect();
        if (text.width <= 1) continue;
        const frame = frameOf(element, false) ?? document.documentElement;
        const held = style.overflowX === "visible" ? frame : element;
        const says = getComputedStyle(held);
        if (says.overflowX === "auto" || says.overflowX === "scroll" || says.textOverflow === "ellipsis") continue;
        const edge = Math.min(held.getBoundingClientRect().right, width);
        if (text.right > edge + 1.5 || text.left < -1)
          found.push(
            `${nameOf(element)}: its text ends at ${Math.round(text.right)}, what holds it at ${Math.round(edge)}`,
          );
      }
    }
    // What reaches out of the screen itself, not what holds it; on a page that is too wide everything else follows.
    const causes = outside.filter((element) => !outside.some((other) => other !== element && element.contains(other)));
    for (const element of causes.slice(0, 6)) {
      const { left, right } = element.getBoundingClientRect();
      found.push(`${nameOf(element)} reaches from ${Math.round(left)} to ${Math.round(right)}`);
    }
    // What is wrong while everything is closed is told once.
    for (const fault of found) if (!told.has(fault)) tell(fault);
    for (const fault of found) told.add(fault);
  }

  scrollTo(0, 0);
  measure("", [document.body]);
  measureForm();
  const closed = [...document.querySelectorAll("details:not([open])")].filter(
    (each): each is HTMLDetailsElement => each instanceof HTMLDetailsElement,
  );
  if (closed.length > 0) {
    for (const each of closed) each.open = true;
    measure(", opened", closed);
    for (const each of closed) each.open = false;
  }
  for (const menu of document.querySelectorAll<HTMLElement>("[popover]")) {
    if (menu.parentElement?.closest("[popover]")) continue;
    menu.showPopover();
    measure(`, ${menu.id}`, [menu]);
    menu.hidePopover();
  }
  return faults;
}
