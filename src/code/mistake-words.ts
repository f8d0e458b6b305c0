/** What programs do not have: TypeScript only says that it does not find the names. */
const ofHosts: ReadonlySet<string> = new Set(
  "fetch XMLHttpRequest WebSocket URL URLSearchParams window document location navigator localStorage prompt alert setTimeout setInterval setImmediate clearTimeout clearInterval queueMicrotask structuredClone performance crypto atob btoa TextEncoder TextDecoder AbortController Deno Bun".split(
    " ",
  ),
);

const onlyThese = "Programs have the language, tools and console alone.";

/** Beginnings of what TypeScript says, and what a model can do about it. */
const hints: readonly (readonly [RegExp, string])[] = [
  [
    /^An (?:import|export) declaration|^Modifiers cannot appear here/,
    "Programs have no modules: no import, and no export. Call tools, and end with return.",
  ],
  [/^Property '\w+' does not exist on type 'Console'/, "console has log, info, warn, error and debug."],
  [/^(?!.*'await').* on type 'Promise</, "Did you forget to use 'await'?"],
];

/** What TypeScript says of a mistake, in words for those who write programs: what it would have programmers install is not for them. */
export function wordsFor(text: string, code = ""): string {
  const words = text
    .replace(
      / Do you need to install type definitions[^]*$/,
      " Programs have no modules and nothing of Node.",
    )
    .replace(/ Do you need to change your target library\?[^]*$/, " Programs do not have it.")
    .replace(
      /^Property '\w+' does not exist on type 'Missing<"(\w+)">'\./,
      `Cannot find name '$1'. ${onlyThese}`,
    )
    .replaceAll(/\s+/g, " ");
  if (code.trimStart().startsWith("```"))
    return `${words} Write the program alone, without \`\`\` around it.`;
  const name = /^Cannot find name '(\w+)'\.$/.exec(words)?.[1];
  if (name !== undefined && ofHosts.has(name)) return `${words} ${onlyThese}`;
  const hint = hints.find(([beginning]) => beginning.test(words))?.[1];
  return hint === undefined ? words : `${words} ${hint}`;
}
