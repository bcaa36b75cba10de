// The privacy policy in English.
import { addressLine, blocks, type LegalText, type Particulars } from "./legal-text.ts";

export function privacyPolicyEn(p: Particulars): LegalText {
  const operator = p.operator_name || "the operator of this site";
  const address = addressLine(p);
  const write = p.contact_email
    ? `write to [${p.contact_email}](mailto:${p.contact_email}) or use the [contact form](/contact)`
    : "use the [contact form](/contact)";
  return {
    title: "Privacy policy",
    description: `What ${p.site_name} stores about you, why, for how long, and what you can do about it.`,
    intro: [
      `${p.site_name} (${p.site_url}) is run by ${operator} (“we”). This page tells what we store about you, why, for how long, and what you can do about it. In short: we ask for little, we sell nothing, there is no advertising and no tracking, and you can take your data with you or have it deleted whenever you like.`,
      `If something here is unclear or you do not agree with it, please do not create an account, and ${write}.`,
    ],
    sections: [
      {
        id: "data-we-collect",
        title: "What data do we collect?",
        blocks: [
          "Looking at the site needs no account and no data about you. When you create an account or write to us, we store what you give us:",
          {
            list: [
              "email addresses,",
              "user names,",
              "passwords, and of these only an argon2id hash from which the password cannot be read.",
            ],
          },
          "If you want, you also give us an avatar picture, a language and a theme, a second factor or a passkey, or a message by the contact form with your name and email address. If the site offers login with Discord or another site and you use it, that site tells us your account number there and your email address.",
          "If you press “Tell me” on a game server, a game or the site, we store what you want to be told of, and where: for an account its email address, for a browser the address and the keys that the maker of your browser gave it for this (a push subscription), your language, and when the browser was last here. That works without an account. Of the network address from which it was set up we keep only a keyed hash, against abuse. If you have an account, we also store your wishes, such as quiet hours, and what you were told of, for 30 days.",
          "We process no sensitive data: nothing on health, faith, origin, opinions or the like. Please do not put any into your user name, avatar or messages.",
          "When you log in, we store for each session when it began, when it was last used, the network address (IP address) and the kind of browser, so that you can recognise and end sessions. Sign-ins and changes to the safety of an account are noted in a log together with the network address.",
          "From game servers we store public figures: whether they are up, how many people are on, which version they run. Game servers report these themselves or answer a public query. We read no names of players from them, with one exception: where an admin has turned on the list of who is on for a game server, members who are signed in can read on its page the names that the game server itself tells to anybody who asks. Only the newest list is held: the next one takes its place, the last one is deleted after ten minutes, and none of them goes into a history, a log or a backup. If you do not want to be named there, write your names down in the [settings of your profile](/user/settings/profile); we keep what you write there until you remove it or your account is erased.",
        ],
      },
      {
        id: "how-we-use-it",
        title: "How do we use your data?",
        blocks: [
          "We use your data only for this:",
          {
            list: [
              "to make your account, log you in and keep you logged in,",
              "to show your user name and avatar where you take part,",
              "to send mails that belong to your account: confirmations, codes, warnings. There is no newsletter,",
              "to tell you what you asked to be told of, such as that a game server is back, until you end it,",
              "to answer your messages and requests,",
              "to protect you, us and others from abuse and fraud,",
              "to meet duties that the law gives us.",
            ],
          },
          "We make no decisions about you by machine alone, and no profiles.",
        ],
      },
      {
        id: "legal-bases",
        title: "What does the law allow us to do this by?",
        blocks: [
          "Where the General Data Protection Regulation (GDPR) or its British counterpart applies, we rely on these grounds:",
          {
            list: [
              "the contract with you: your account and what you do with it (Article 6(1)(b)),",
              "our legitimate interest in a safe and working site: sessions, limits, the safety log, protection from fraud (Article 6(1)(f)),",
              "your consent, for what you choose freely, such as an avatar or being told of something. You can take it back at any time (Article 6(1)(a)),",
              "legal duties, for example to answer authorities (Article 6(1)(c)).",
            ],
          },
          "In Switzerland the Federal Act on Data Protection applies in the same way.",
        ],
      },
      {
        id: "sharing",
        title: "Who else gets your data?",
        blocks: [
          "We do not sell your data, rent it out or share it for advertising. Others get it only in these cases:",
          {
            list: [
              "companies that run machines, storage or mail delivery for us, under contract and only on our instructions,",
              "Discord, or the other site that you choose to log in with,",
              "the push service of your browser's maker (such as Google, Mozilla, Microsoft or Apple), if you have your browser told: it gets when we send something, while what we send is encrypted so that only your browser can read it,",
              "authorities and courts, where the law obliges us,",
              "a successor, if the site changes hands; this policy then goes on to hold, and we tell you beforehand.",
            ],
          },
          "Our servers stand in Germany. Your user name and avatar can be seen by other people where you take part.",
        ],
      },
      {
        id: "cookies",
        title: "Do we use cookies?",
        blocks: [
          "Only those without which the site could not do what you ask of it, so there is no banner to click away:",
          {
            list: [
              "a session cookie that keeps you logged in, and a short-lived one between password and second factor,",
              "a cookie that remembers for a day that this browser just registered,",
              "a cookie that remembers a browser in which you have logged in before, so that a stranger's wrong passwords cannot lock you out,",
              "if you have your browser told of something, the addresses of the game servers that you looked at last, kept in your browser for when the site cannot be reached,",
              "your choice of theme, kept in your browser.",
            ],
          },
          "There are no cookies of others, no analytics, no tracking pixels. Fonts and pictures come from our own server.",
        ],
      },
      {
        id: "how-long",
        title: "How long do we keep your data?",
        blocks: [
          "As long as your account exists. When you delete it, it is switched off at once and erased after a short grace period, in which you can change your mind.",
          "Some things end earlier or later than the account:",
          {
            list: [
              "sessions end when you log out, when they are not used for long, or at the latest on a fixed date,",
              "mails that we sent: what they said is erased right after sending, and that they were sent after 30 days,",
              "the safety log after one year,",
              "counts of tries (for limits) after hours,",
              "what a browser without an account follows, and its push subscription: when you end it, at once when the browser gives the subscription up, and at the latest 60 days after the browser was last here,",
              "what happened and whom we told of it, after 30 days,",
              "messages by the contact form when they are dealt with and no longer needed, at the latest twelve months after we have archived them.",
            ],
          },
          "Against fraud we keep, after an account is erased, a keyed hash of its email address and the dates on which the account began and ended, and nothing else. If the same address registers again, admins see by it that there was an account before, and from when to when. That ends by itself on a date which the last mail about the deletion tells you. Backups are overwritten in turn.",
        ],
      },
      {
        id: "safety",
        title: "How do we keep your data safe?",
        blocks: [
          "Connections are encrypted. Passwords, session keys and one-time links are stored only as hashes. You can protect your account with a second factor or a passkey, and you see and end every session in your settings. Only people who need your data for their work can reach it, and what they do is logged.",
          "No system is perfectly safe. If something happens that puts your data at risk, we tell you and the authority as the law demands.",
          "The site is not made for children under 16, and we knowingly store no data about them. If you learn that a child has given us data, please tell us.",
        ],
      },
      {
        id: "your-rights",
        title: "What rights do you have?",
        blocks: [
          "If you live in the European Economic Area (EEA), the United Kingdom or Switzerland, you may",
          {
            list: [
              "ask what we store about you, and get a copy,",
              "have it corrected or erased,",
              "have its use restricted,",
              "take it with you in a form that machines can read,",
              "object to what we do on the ground of legitimate interest,",
              "take back a consent at any time; what was done before stays lawful.",
            ],
          },
          `For any of this ${write}. We answer within one month. It costs nothing.`,
          "If you think that we handle your data unlawfully, you may complain to the data protection authority where you live or where we are: in the EEA to the authority of your country, in the United Kingdom to the Information Commissioner's Office, in Switzerland to the Federal Data Protection and Information Commissioner.",
        ],
      },
      {
        id: "do-not-track",
        title: "Controls for do-not-track features",
        blocks: [
          "Browsers can send a do-not-track signal. There is still no common rule on what a site must do with it, and so we do not respond to such signals. They would change nothing here: we do not track anybody. Should a rule come that we must follow, we say so on this page.",
        ],
      },
      {
        id: "us-states",
        title: "Do residents of US states have special rights?",
        blocks: [
          "Yes. If you live in a US state with a privacy law, such as California, Colorado, Connecticut, Utah or Virginia, you have the right to know whether we process your data and to",
          {
            list: [
              "access it,",
              "correct it,",
              "delete it,",
              "get a copy of it,",
              "opt out of sale, of targeted advertising and of profiling,",
              "appeal if we refuse,",
            ],
          },
          "and you are not treated worse for using these rights.",
          "In the past 12 months we have collected these categories: identifiers (email address, user name, network address), account credentials (a hash of the password), and activity on the site as far as sessions and the safety log hold it. We have not sold or shared personal data in these 12 months, not for money and not for anything else, and we do not intend to. Requests can look back 12 months.",
          `To use a right, ${write}; in the form you can mark your message as a privacy request. We act on a request to opt out within 15 days. We ask for proof that it is you, usually by a mail to the address of your account, and use that proof for nothing else.`,
          "An authorized agent may ask on your behalf, with written proof that you gave the authorization; we may still ask you to confirm it. Without proof we refuse the request.",
          "Colorado: if we refuse, we say why and how to appeal. We answer an appeal in writing within 45 days.",
          "Connecticut: we answer an appeal in writing within 60 days.",
          "Virginia: we answer a request within 45 days; where needed, we may extend this once by 45 days and tell you why within the first 45. We answer an appeal in writing within 60 days. If it is refused, you can complain to the Attorney General of Virginia.",
        ],
      },
      {
        id: "updates",
        title: "Do we change this policy?",
        blocks: [
          "Yes, when the site or the law changes. The date at the top tells the newest version. If something important changes, we say so on the site or by mail before it holds.",
        ],
      },
      {
        id: "contact",
        title: "How can you reach us?",
        blocks: blocks(
          `In all questions on this policy ${write}.`,
          p.operator_name !== "" &&
            `Responsible for the site: ${[p.operator_name, address].filter(Boolean).join(", ")}.`,
          "More is in the [imprint](/impressum).",
        ),
      },
      {
        id: "review-update-delete",
        title: "How can you review, update or delete your data?",
        blocks: [
          "You can do most of it yourself, at once and without asking: in the [settings of your account](/user/settings/profile) you see and change your user name, avatar, email address, password and sessions, download everything that we hold about you, and delete your account.",
          `For everything else ${write}.`,
        ],
      },
    ],
  };
}
