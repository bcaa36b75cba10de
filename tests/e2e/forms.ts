/** Fills and sends the forms of a page as a person could, in the browser. */
import type { Page } from "@playwright/test";

declare global {
  interface Window {
    forms: {
      /** Names the visible forms that post to the site. */
      list(): string[];
      fill(form: string): void;
      read(form: string): string[];
      send(form: string): void;
      /** The text of a new alert in the form, or outside any form. */
      alert(form: string): string | null;
      isBusy(form: string): boolean;
    };
  }
}

/** Prepares every page that `page` opens. */
export async function prepareForms(page: Page): Promise<void> {
  await page.addInitScript(install);
}

/** Runs in the browser. */
function install(): void {
  const buttonOf = (form: HTMLFormElement) =>
    [...form.elements].find(
      (each): each is HTMLButtonElement =>
        each instanceof HTMLButtonElement &&
        each.type === "submit" &&
        !each.disabled &&
        each.tabIndex >= 0 &&
        each.ariaDisabled !== "true",
    );
  /** Forms of the same fields and intent are the same form, of another row or page. */
  const nameOf = (form: HTMLFormElement) => {
    const names = [...form.elements].map((each) => {
      const { name = "", value = "" } = each as HTMLInputElement;
      return name === "intent" ? `${name}=${value}` : name;
    });
    return [...new Set(names)].filter(Boolean).sort().join(" ") || new URL(form.action).pathname;
  };
  const find = (name: string) => {
    const found = [...document.forms].find((form) => form.method === "post" && nameOf(form) === name);
    if (!found) throw new Error(`no form ${name} is left`);
    return found;
  };
  const fieldsOf = (form: HTMLFormElement) =>
    [...form.elements].filter(
      (each): each is HTMLInputElement | HTMLTextAreaElement =>
        (each instanceof HTMLInputElement || each instanceof HTMLTextAreaElement) &&
        !each.disabled &&
        !each.readOnly &&
        !each.closest("[aria-hidden=true]"),
    );
  window.forms = {
    list: () => {
      for (const fold of document.querySelectorAll("details")) fold.open = true;
      return [...document.forms]
        .filter((form) => form.method === "post" && !new URL(form.action).pathname.startsWith("/api/auth/"))
        .filter((form) => buttonOf(form)?.checkVisibility({ visibilityProperty: true }))
        .map(nameOf);
    },
    fill(name) {
      const form = find(name);
      const picture = new DataTransfer();
      picture.items.add(new File(["a picture"], "walk.png", { type: "image/png" }));
      const texts: Record<string, string> = {
        email: "walk@example.org",
        password: "a walk beside the lamp",
        text: "Walk",
        textarea: "Walk",
        url: "https://example.org/walk",
        "datetime-local": "2036-03-30T04:00",
      };
      for (const select of form.querySelectorAll("select"))
        if (select.value === "") select.selectedIndex = select.options.length - 1;
      for (const field of fieldsOf(form)) {
        if (field.type === "file") (field as HTMLInputElement).files = picture.files;
        const value = field instanceof HTMLInputElement && field.pattern ? "000000" : texts[field.type];
        if (value === undefined) continue;
        Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set?.call(field, value);
        field.dispatchEvent(new Event("input", { bubbles: true }));
      }
    },
    read: (name) =>
      fieldsOf(find(name)).map((field) =>
        field.type === "checkbox" || field.type === "radio"
          ? `${field.name} ${(field as HTMLInputElement).checked}`
          : `${field.name} ${field.value.slice(0, 80)}`,
      ),
    send(name) {
      for (const old of document.querySelectorAll("[role=alert]")) old.setAttribute("data-before", "");
      buttonOf(find(name))?.click();
    },
    alert(name) {
      const form = find(name);
      const alerts = [...document.querySelectorAll<HTMLElement>("[role=alert]:not([data-before])")];
      const own = alerts.find(
        (alert) => alert.checkVisibility() && [null, form].includes(alert.closest("form")) && alert.innerText.trim(),
      );
      return own?.innerText ?? null;
    },
    isBusy: (name) => buttonOf(find(name))?.ariaBusy === "true",
  };
}
