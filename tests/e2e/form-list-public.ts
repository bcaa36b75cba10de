/** The forms of public pages. */
import type { FormSite } from "./form-site.ts";
import type { AreaForm } from "./site-form.ts";

const open = (name: string, nth = 1) => `routes/public/${name}.tsx ${nth}`;

export function listPublicForms({ tokens }: FormSite): AreaForm[] {
  return [
    { source: open("sign-in/login"), at: "/login/", button: "#login form [type=submit]", text: "Login failed." },
    {
      source: open("sign-in/login"),
      at: "/login/#register",
      button: "#register form [type=submit]",
      text: "Registration failed.",
    },
    {
      source: open("contact"),
      at: "/contact",
      button: "main form [type=submit]",
      text: "Error sending your message!",
    },
    {
      source: open("sign-in/forgot-password"),
      at: "/forgot-password",
      button: "main form [type=submit]",
      text: "Error sending the link!",
    },
    {
      source: open("sign-in/reset-password"),
      at: `/reset-password?token=${tokens.reset}`,
      button: "main form [type=submit]",
      text: "Error changing password!",
    },
    {
      source: open("sign-in/sign-in-code", 2),
      at: "/sign-in-code",
      button: "main form [type=submit]",
      text: "Error sending the code!",
    },
    {
      source: open("sign-in/sign-in-code", 1),
      at: "/sign-in-code?",
      button: "main form [type=submit]",
      text: "Login failed.",
      fields: { code: "00000000" },
      reach: async (page) => {
        await page.locator("main [name=email]").fill("nobody@example.org");
        await page.locator("main form [type=submit]").click();
        await page.locator("main [name=code]").waitFor();
      },
    },
    {
      source: open("sign-in/two-factor", 1),
      at: "/two-factor",
      button: "form:has([value=app]) [type=submit]",
      text: "Login failed.",
      fields: { code: "000000" },
    },
    {
      source: open("sign-in/two-factor", 2),
      at: "/two-factor",
      button: "form:has([value=recovery]) [type=submit]",
      text: "Login failed.",
    },
    {
      source: open("sign-in/verify-email"),
      at: `/verify-email?token=${tokens.verify}`,
      button: "main form [type=submit]",
      text: "Error confirming address!",
    },
    {
      source: open("sign-in/keep-account"),
      at: `/keep-account?token=${tokens.keep}`,
      button: "main form [type=submit]",
      text: "Error keeping your account!",
    },
    {
      source: open("sign-in/confirm-email-change"),
      at: tokens.changeEmail,
      button: "main form [type=submit]",
      text: "Error confirming address!",
    },
    {
      source: open("following/end", 2),
      at: `/following/end?mail=${tokens.endMails}`,
      button: "main form [type=submit]",
      text: "Error changing what we tell you!",
    },
    {
      source: open("following/end", 1),
      at: `/following/end?again&mail=${tokens.endMails}`,
      button: "button[value=again]",
      text: "Error changing what we tell you!",
      reach: async (page) => {
        await page.locator("button[value=end]").click();
        await page.locator("button[value=again]").waitFor();
      },
    },
    {
      source: open("sign-in/setup"),
      at: `/setup/${tokens.setup}`,
      button: "main form [type=submit]",
      text: "Error creating the account!",
    },
  ];
}
