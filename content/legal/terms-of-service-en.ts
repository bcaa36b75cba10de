// The terms of service in English.
import { addressLine, blocks, type LegalText, type Particulars } from "./legal-text.ts";

export function termsOfServiceEn(p: Particulars): LegalText {
  const site = p.site_name;
  const operator = p.operator_name || "the operator of this site";
  const address = addressLine(p);
  const write = p.contact_email
    ? `write to [${p.contact_email}](mailto:${p.contact_email}) or use the [contact form](/contact)`
    : "use the [contact form](/contact)";
  const court = p.court ? `the ${p.court}` : "a European court of arbitration on which both sides agree";
  return {
    title: "Terms of service",
    description: `The rules for using ${site}: what you may expect of us, and what we expect of you.`,
    intro: blocks(
      `These terms are the agreement between you and ${operator} (“we”) on your use of ${site} (${p.site_url}), its game servers and everything that belongs to it (together, the “services”).${address ? ` We are at ${address}.` : ""}`,
      "By using the services you accept these terms. If you do not accept them, please do not use the services. Where the law of the country in which you live protects you as a consumer and cannot be set aside, that protection stays, whatever is written here.",
    ),
    sections: [
      {
        id: "services",
        title: "Our services",
        blocks: [
          "We show which of our game servers are up and who is on, explain how to join them, and let you keep an account with a name and an avatar. The games themselves belong to their makers, and you need your own right to play them.",
          "The services are not made for places where using them would break the law or put us under a duty to register. Whoever uses them from elsewhere does so by own choice and minds the local law.",
        ],
      },
      {
        id: "intellectual-property",
        title: "Intellectual property",
        blocks: [
          "The design, texts, pictures and software of the services belong to us or are licensed to us. Parts that are published under an open licence stay under that licence. Names and marks of games belong to their owners; naming them does not mean that they know or support us.",
          "You may use the services for yourself and not commercially. Anything beyond that, such as copying larger parts or selling them, needs our permission in writing.",
        ],
      },
      {
        id: "your-representations",
        title: "What you assure us",
        blocks: [
          "By using the services you assure us that",
          {
            list: [
              "you are legally able to agree to these terms,",
              "you are not a minor where you live, or your parents agree to your use,",
              "what you enter at registration is true, complete and kept up to date,",
              "you do not reach the services by automated means, such as bots or scripts,",
              "you use them for nothing illegal or forbidden,",
              "your use breaks no law.",
            ],
          },
          "If what you tell us is untrue, incomplete or out of date, we may suspend or close your account. Keep your password to yourself; you answer for what is done with your account until you tell us that it is in other hands. We may ask you to change a user name that is offensive or misleading.",
        ],
      },
      {
        id: "prohibited-activities",
        title: "Prohibited activities",
        blocks: [
          "The services are there to find game servers and to play together. You may not",
          {
            list: [
              "collect data from the services by scraping or by building a database from them without our permission in writing,",
              "use bots, cheats, exploits or any automation in the services or on the game servers,",
              "impersonate other people, or use or sell the account of somebody else,",
              "trick, harass, threaten, insult or discriminate against other people, or urge others to do so,",
              "get around safety measures, limits or bans, or look for weak spots without our consent,",
              "upload viruses, or overload or disturb the services or the machines behind them,",
              "send advertising, chain messages or spam,",
              "use what you find here to compete with us or to earn money with it,",
              "copy, change or take apart our software, as far as its licence or the law does not allow it,",
              "abuse our support or file false reports,",
              "break any law.",
            ],
          },
          "If you have found a weak spot by chance, please tell us first. We are grateful for it.",
        ],
      },
      {
        id: "contributions",
        title: "Contributions",
        blocks: [
          "What you put into the services is your contribution: your user name, your avatar, your messages. Others may see it. You assure us that you own it or have the rights to it, that it shows nobody against that person's will, and that it is neither illegal, obscene, hateful, violent, misleading nor an advertisement.",
          "You answer for your contributions. We may remove or change what breaks these terms, without notice where it is urgent.",
        ],
      },
      {
        id: "contribution-license",
        title: "Contribution license",
        blocks: [
          "Your contributions stay yours. You allow us to store, copy, resize and show them, free of charge and only as far as running the services needs it. That permission ends when you remove the contribution or your account is erased.",
          "If you send us an idea or a suggestion, we may use it without owing you anything.",
        ],
      },
      {
        id: "services-management",
        title: "Services management",
        blocks: [
          "We may, but need not,",
          {
            list: [
              "watch for breaches of these terms,",
              "act against whoever breaks them, up to reporting it to the authorities,",
              "refuse, limit or remove contributions and accounts,",
              "remove files that are too large or a burden to our machines,",
              "otherwise run the services so that our rights and property are safe and everything works.",
            ],
          },
        ],
      },
      {
        id: "term-and-termination",
        title: "Term and termination",
        blocks: [
          "These terms hold as long as you use the services. You may end that at any time by deleting your account in its settings.",
          "We may, at our discretion and without notice, suspend or close accounts and block network addresses (IP addresses), above all where these terms or the law are broken. Where we can, we tell you why, and you may [contact us](/contact) about it.",
          "If we have closed your account, you may not make a new one under your own, an invented or a borrowed name, not even on behalf of somebody else. We keep the right to go to court.",
        ],
      },
      {
        id: "modifications",
        title: "Modifications and interruptions",
        blocks: [
          "We may change, pause or end the services or parts of them, at any time and without notice. We are not liable for what follows from that.",
          "We cannot promise that the services are always available: machines fail and need care. You have no claim to a certain game server, its state or its saved game. Keep copies of what matters to you.",
        ],
      },
      {
        id: "governing-law",
        title: "Governing law",
        blocks: [
          "German law applies; the United Nations Convention on Contracts for the International Sale of Goods does not. If you are a consumer in the European Union, you also keep the protection of the mandatory law of the country in which you live.",
        ],
      },
      {
        id: "dispute-resolution",
        title: "Dispute resolution",
        blocks: [
          "Talking comes first: in any dispute, both sides try to settle it informally for at least 60 days before arbitration begins. These days start when one side tells the other in writing.",
          `What cannot be settled is decided by ${court}, under its rules, by one arbitrator. The language of the proceedings is German, and German law applies.`,
          "Arbitration is between you and us alone: no class actions, and no proceedings joined with those of others.",
          "Excepted are disputes over intellectual property, over theft, piracy or invasion of privacy, and urgent measures: these belong before the courts. If you are a consumer, you may always go to the courts that the law gives you; nobody has to go to arbitration who may not be bound to it by law.",
        ],
      },
      {
        id: "corrections",
        title: "Corrections",
        blocks: [
          "There may be mistakes on these pages: in descriptions, in addresses, in figures. We may correct them and bring everything up to date at any time and without notice. Figures about game servers are measured and can be some seconds or minutes old.",
        ],
      },
      {
        id: "disclaimer",
        title: "Disclaimer",
        blocks: [
          "The services are offered as they are and as they are available. You use them at your own risk. As far as the law allows, we give no warranty, neither for the fitness for a purpose nor for freedom from errors, and none for other sites to which we link, or for what others offer there.",
          "Programs and files that our guides name come from others, unless we say otherwise. Check what you download.",
        ],
      },
      {
        id: "liability",
        title: "Limits of liability",
        blocks: [
          "We are not liable for indirect damage, lost profit, lost data or lost progress in a game, as far as the law allows.",
          p.liability_sum
            ? `In all other cases our liability is limited to the lesser of the amount that you have paid us in the six months before the claim arose, and ${p.liability_sum}.`
            : "In all other cases our liability is limited to the amount that you have paid us in the six months before the claim arose.",
          "None of this limits liability for intent and gross negligence, for harm to life, body or health, for what we have guaranteed, under product liability law, or for essential duties of the contract up to the damage that was to be foreseen.",
        ],
      },
      {
        id: "indemnification",
        title: "Indemnification",
        blocks: [
          "If others make claims against us because you culpably broke these terms, the law or their rights, or because of your contributions, you keep us free of these claims, reasonable costs of a lawyer included. We tell you of such claims as soon as we know, and you help us to fend them off.",
        ],
      },
      {
        id: "user-data",
        title: "User data",
        blocks: [
          "We store data that you give us to run the services; how, is told in the [privacy policy](/privacy-policy). We make backups, but you answer for your own data and have no claim against us for its loss, within the limits of liability above.",
        ],
      },
      {
        id: "electronic-communications",
        title: "Electronic communications",
        blocks: [
          "When you visit the services, write to us or fill in a form, you communicate electronically. You agree that we answer in the same way, by mail or on the site, and that this meets a legal need for written form wherever the law lets it.",
        ],
      },
      {
        id: "miscellaneous",
        title: "Miscellaneous",
        blocks: [
          "These terms and what is posted on the site are the whole agreement between you and us. If we do not use a right at once, we have not given it up. If a part of these terms is void, the rest stays. We may hand our rights and duties to others. There is no partnership, employment or agency between you and us. These terms exist in English and German; if they differ, the German text counts.",
        ],
      },
      {
        id: "contact",
        title: "Contact",
        blocks: blocks(
          `In case of a complaint or a question, ${write}.`,
          p.operator_name !== "" && [p.operator_name, address].filter(Boolean).join(", "),
          "More is in the [imprint](/impressum).",
        ),
      },
    ],
  };
}
