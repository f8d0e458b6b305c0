import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { defineEval, type EvalCase, type Evaluation } from "skein/evals";
import { sandbox } from "skein/sandbox";
import { ScriptedModel } from "skein/testing";
import { agent, coder, withNode } from "./agent.ts";
import { newProject } from "./sample.ts";

/** Bugs: a function with what is «wrong→right» in it, and what holds once it is mended. */
const bugs: readonly (readonly [code: string, check: string])[] = [
  ["last = (list) => list[list.length«→ - 1»]", "last([1, 2, 3]) === 3"],
  ["sum = (list) => list.reduce((sum, each) => sum + each«→, 0»)", "sum([]) === 0 && sum([1, 2]) === 3"],
  ["isEven = (number) => number % 2 === «1→0»", "isEven(4) && !isEven(3)"],
  [
    "clamp = (value, low, high) => Math.«max→min»(high, Math.max(low, value))",
    "clamp(5, 0, 3) === 3 && clamp(-1, 0, 3) === 0",
  ],
  ["sorted = (numbers) => numbers.toSorted(«→(a, b) => a - b»)", "sorted([10, 9, 1]).join() === '1,9,10'"],
  [
    "isLeap = (year) => year % 4 === 0 && (year % 100 !== 0 «&&→||» year % 400 === 0)",
    "isLeap(2000) && isLeap(2024) && !isLeap(1900)",
  ],
  ["capital = (word) => word.charAt(0).toUpperCase() + word.slice(«0→1»)", "capital('goose') === 'Goose'"],
  [
    "unique = (list) => list.filter((each, index) => list.«lastIndexOf→indexOf»(each) === index)",
    "unique([1, 2, 1]).join() === '1,2'",
  ],
  [
    "range = (from, to) => Array.from({ length: to - from«→ + 1» }, (_, index) => from + index)",
    "range(2, 4).join() === '2,3,4'",
  ],
  ["celsius = (fahrenheit) => («fahrenheit - 32 * 5 / 9→(fahrenheit - 32) * 5 / 9»)", "celsius(212) === 100"],
  [
    'isPalindrome = (text) => text === [...text].reverse().join(«→""»)',
    "isPalindrome('anna') && !isPalindrome('ann')",
  ],
  [
    "average = (list) => list.length === 0 ? «NaN→0» : list.reduce((a, b) => a + b, 0) / list.length",
    "average([]) === 0 && average([1, 3]) === 2",
  ],
  [
    "chunks = (list, size) => list.length === 0 ? [] : [list.slice(0, size), ...chunks(list.slice(«1→size»), size)]",
    "JSON.stringify(chunks([1, 2, 3], 2)) === '[[1,2],[3]]'",
  ],
  ['countWords = (text) => text.trim().split(«" "→/\\s+/»).length', "countWords('one  two') === 2"],
  [
    "withDefaults = (options) => ({ «...options, size: 1→size: 1, ...options» })",
    "withDefaults({ size: 2 }).size === 2",
  ],
  ["portOf = (text) => Number(text) «||→??» 80", "portOf('0') === 0"],
  [
    "allDone = (tasks) => tasks.«some→every»((task) => task.done)",
    "!allDone([{ done: true }, { done: false }])",
  ],
  ["maximum = (numbers) => Math.max(«numbers→...numbers»)", "maximum([3, 7]) === 7"],
  ["percent = (part, whole) => Math.round(part / whole«→ * 100»)", "percent(1, 4) === 25"],
  [
    'initials = (name) => name.split(" ").map((word) => word[«1→0»]).join("")',
    "initials('Ada Lovelace') === 'AL'",
  ],
  ["fibonacci = (n) => n < 2 ? n : fibonacci(n - 1) + fibonacci(n - «1→2»)", "fibonacci(7) === 13"],
  [
    "remove = (list, item) => list.filter((each) => each «=== item→!== item»)",
    "remove([1, 2], 1).join() === '2'",
  ],
  ['slug = (title) => title.toLowerCase().«replace→replaceAll»(" ", "-")', "slug('A b c') === 'a-b-c'"],
  [
    "days = (from, to) => Math.round((to - from) / «86_400→86_400_000»)",
    "days(new Date('2026-01-01'), new Date('2026-01-03')) === 2",
  ],
  [
    'parse = (line) => Object.fromEntries(line.split("&").map((pair) => pair.split(«":"→"="»)))',
    "parse('a=1&b=2').b === '2'",
  ],
  ["gcd = (a, b) => b === 0 ? a : gcd(b, «b % a→a % b»)", "gcd(18, 12) === 6"],
];

/** The project of a bug, by the name of its function. */
const projects = new Map(
  bugs.map(([code, check]) => {
    const [name = ""] = code.split(" ");
    const variant = (group: "$1" | "$2"): string => `export const ${code.replace(/«(.*?)→(.*?)»/, group)};\n`;
    const test = `import assert from "node:assert/strict";
import { test } from "node:test";
import { ${name} } from "../src/code.js";

test("${name}", () => assert.ok(${check}));
`;
    return [name, { broken: variant("$1"), mended: variant("$2"), test }];
  }),
);

type Project = ReturnType<typeof projects.get> & object;

function fill(root: string, { broken, test }: Project): void {
  for (const folder of ["src", "test"]) mkdirSync(join(root, folder));
  writeFileSync(join(root, "package.json"), '{ "type": "module" }\n');
  writeFileSync(join(root, "src/code.js"), broken);
  writeFileSync(join(root, "test/code.test.js"), test);
}

/** What has become of a project, in a box that cannot change it any more. */
async function verdictOn(root: string, { test }: Project): Promise<string> {
  const { read, env } = withNode(root);
  const box = sandbox.open({ read: [root, ...read], env });
  try {
    const bytes = await box.read(join(root, "test/code.test.js"));
    if (Buffer.from(bytes).toString() !== test) return "the test was changed";
    const { exitCode } = await box.exec(["node", "--test", join(root, "test/code.test.js")]);
    return exitCode === 0 ? "mended" : "the test fails";
  } finally {
    await box.close();
  }
}

export const evaluation: Evaluation = defineEval({
  name: "coder",
  agent,
  approvals: "approve",
  setup: async ({ name = "" }) => {
    const project = projects.get(name);
    if (!project) throw new Error(`No bug is called ${name}.`);
    const root = await newProject((folder) => fill(folder, project));
    return {
      agent: coder(root),
      state: () => verdictOn(root, project),
      close: () => rmSync(dirname(root), { recursive: true }),
    };
  },
  cases: [...projects].map(([name, { broken, mended }]): EvalCase => ({
    name,
    input: "A test fails. Mend the code, not the test.",
    state: "mended",
    perfect: () => {
      const edit = { path: "src/code.js", edits: [{ oldText: broken, newText: mended }] };
      return new ScriptedModel([{ toolCalls: [{ toolName: "edit", arguments: edit }] }, "It is mended."]);
    },
  })),
});
