/** Names that look like those of the people who run the site, and people whose names do not. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isReservedName } from "./reserved-names.ts";

const SITE = "Harbour Lights";

test("offices, the site's own name, and what looks like them are reserved", () => {
  for (const name of [
    ...["Administrator", "admin", "ADMIN", "Admin1", "Admin 007", "★ Admin ★", "[Admin] Tom", "Site Admin", "TheAdmin"],
    ...["Moderator", "System", "Support", "support!", "Staff", "Mod", "xXAdministratorXx", "Verwalter", "Moderatorin"],
    // Digits and signs for letters, letters pulled apart, i and l, m and rn.
    ...["4dm1n", "Adm!n", "@dmin", "$upport", "5y5tem", "M0d3rat0r", "A.d.m.i.n", "A d m i n", "Admln", "Adrnin"],
    // Cyrillic, Greek, both mixed; full width, mathematical, circled, small capitals, flags; marks on letters.
    ...["Аdmin", "Αdmin", "аdмin", "ѕystem", "Админ", "Ｓｕｐｐｏｒｔ", "𝐀𝐝𝐦𝐢𝐧", "Ⓐⓓⓜⓘⓝ", "🅐dmin", "ᴀᴅᴍɪɴ", "🇦dmin"],
    ...["Ådmin", "Ädmin", "Ad\u0336m\u0336in", "Ad\u200bmin", "admıո", "ɑdⅿіո"],
    ...[
      "Harbour Lights",
      "harbourlights",
      "Hаrbour-Lights",
      "HARBOUR L1GHTS",
      "Harbour Lights Team",
      "Official Harbour Lights",
    ],
    ...["HarbourLightsSupport", "Harbour Lights Admin"],
  ])
    assert.equal(isReservedName(name, SITE), true, name);
});

test("the names of people, in whatever language, and of what they play, are not", () => {
  for (const name of [
    ...[
      "Admiral",
      "Admir",
      "Admirer",
      "Badminton",
      "Ådmund",
      "Edmund",
      "Adminah",
      "Systemli",
      "System Shock",
      "Modesto",
    ],
    ...["Модест", "Адмирал", "Ростислав", "Дмитрий", "Αδάμ", "Δημήτρης", "李雷", "田中さくら", "김민준", "محمد", "דוד"],
    ...["Müller", "Jürgen", "Søren", "Łukasz", "Nguyễn Văn An", "José", "Ömer", "Zoë", "O'Hara", "Anne-Marie"],
    ...[
      "Team Rocket",
      "Modibo",
      "Moderat",
      "Rooted",
      "Supporter",
      "Staffan",
      "Player-7GHK",
      "x",
      "1337",
      "🎣",
      "Al",
      "Ill1l",
    ],
    ...["Harbour", "Lights Out", "Harbour Fan", "Rock & Roll"],
  ])
    assert.equal(isReservedName(name, SITE), false, name);
});

test("the site's name is the one that it has now, and a name of one or two letters reserves nothing", () => {
  assert.equal(isReservedName("Harbour Lights", "Other Shore"), false);
  assert.equal(isReservedName("0ther $hore", "Other Shore"), true);
  for (const site of ["", "X", "🎣", "  "]) assert.equal(isReservedName("Xavier", site), false, site);
  assert.equal(isReservedName("X", "X"), false);
});
