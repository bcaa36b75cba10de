// What a name says of its land by itself: "Iron Tundra" is in the snow.
import type { Land } from "#shared/scene-hint.ts";

/** Beginnings of words, in small letters; a name that has words of two lands is of the first. */
const WORDS: readonly (readonly [Land, RegExp])[] = [
  ["farm", /\b(farm|harvest|ranch|barn|stardew)/],
  ["race", /\b(race|racing|rally|truck|driver|drift|kart|assetto|trackmania|wreckfest)/],
  ["space", /\b(space|star(?!v)|galax|planet|astro|cosm|orbit|moon|mars|kerbal|stationeers)/],
  ["sea", /\b(sea\b|tide|ocean|raft|pirate|sail|atlas|naval|island|isle|subnautica)/],
  ["snow", /\b(snow|frost|tundra|winter|ice\b|arctic|polar|freez)/],
  ["desert", /\b(desert|dune|dust|sand|sahara|arrakis)/],
  ["cavern", /\b(cave|cavern|deep|dungeon|mine|core|underground|dwarf)/],
  ["industry", /\b(factor|satisfactory|industr|steel|foundry|forge|automat)/],
  ["wasteland", /\b(ash|waste|fallout|zombie|dead|dying|apocalyp|scum|rust|dayz|stalker|days to die)/],
  [
    "battlefield",
    /\b(battle|war(?:s|fare|hammer)?\b|squad|front|arma|insurgency|hell let loose|trench|counter|strike|operation)/,
  ],
  ["castle", /\b(castle|keep|kingdom|knight|chivalry|mordhau|medieval|throne|sword)/],
  ["arena", /\b(arena|quake|unreal|tournament|gladiator|league|brawl|fortress)/],
  ["city", /\b(city|cities|neon|cyber|metro|urban|grand theft)/],
  ["jungle", /\b(jungle|primal|dino|forest of|green hell|vine)/],
  ["mountains", /\b(mountain|peak|summit|alpine|highland)/],
  ["ruins", /\b(ruin|ancient|temple|conan|relic|rome|roman)/],
  ["forest", /\b(forest|wood|moss|grove|enshrouded|wild)/],
];

/** The land that a name speaks of; null when it speaks of none. */
export const landNamedIn = (name: string): Land | null => WORDS.find(([, words]) => words.test(name))?.[0] ?? null;
