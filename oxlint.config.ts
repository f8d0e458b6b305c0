import { defineConfig, type OxlintConfig, type OxlintOverride } from "oxlint";
import { vagueNames } from "./scripts/language.ts";
import { allowedImports, rooms } from "./scripts/layers.ts";

/** Tests, their helpers beside the code, and what they feed on. */
const testFiles = [
  "test/functions/table/**",
  "test/builds/table/**",
  "**/*.test.ts",
  "**/*.test-d.ts",
  "src/**/test-*.ts",
  "**/fixtures/**",
];

/** The rooms that run under Node only. */
const nodeRooms = new Set([
  "cli",
  "lock",
  "sandbox",
  "skills",
  "studio",
  "connectors/mcp",
  "connectors/workspace",
  "providers/resolution",
  "base/offload",
  "transport/node",
  ...rooms.filter((room) => room.startsWith("sources/")),
]);

/** Forbids in each room of `src/` every import of a room that is not below it, and Node's modules on edge runtimes. */
const layerRules = rooms.map((room): OxlintOverride => {
  const allowed = new Set([room, ...allowedImports(room)]);
  const forbidden = [...rooms.filter((other) => !allowed.has(other)), "index"];
  const patterns = forbidden.map((other) => ({
    regex: addressOf(other, room),
    message: `${room}/ stands below or beside ${other}/: see scripts/layers.ts.`,
  }));
  const node = { regex: "^node:", message: `${room}/ runs on edge runtimes too, without Node's modules.` };
  return {
    files: room === "errors" ? ["src/errors.ts"] : [`src/${room}/**/*.ts`],
    excludeFiles: testFiles,
    rules: {
      "no-restricted-imports": [
        "error",
        {
          patterns: nodeRooms.has(room) ? patterns : [...patterns, node],
        },
      ],
    },
  };
});

/** How a file of `room` writes an import of `other`. */
function addressOf(other: string, room: string): string {
  const [group = "", name] = other.split("/");
  // From a room of a group, one step up is that room: it may have a folder that is called like another room.
  const isAtTop = !room.includes("/") || room.startsWith(`${group}/`);
  const up = room === "errors" ? "^\\./" : isAtTop ? "^\\.\\./(\\.\\./)*" : "^\\.\\./\\.\\./(\\.\\./)*";
  // A room is a folder, but for these two files; a file of a room may well be called like another room.
  if (other === "errors" || other === "index") return `${up}${other}\\.ts$`;
  const isBeside = name !== undefined && room.startsWith(`${group}/`);
  return `${up}${isBeside ? name : other}/`;
}

const config: OxlintConfig = defineConfig({
  plugins: ["typescript", "import", "unicorn", "oxc", "promise", "vitest"],
  categories: { correctness: "error", suspicious: "error", perf: "error" },
  options: { typeAware: true },
  // What it imports is there only once its test has run.
  ignorePatterns: ["dist", "coverage", "node_modules", "test/declared/app", "examples/coder/project"],
  rules: {
    "import/no-cycle": ["error", { ignoreTypes: false }],
    "import/no-default-export": "error",
    "max-lines": ["error", { max: 400 }],
    "typescript/no-explicit-any": "error",
    "typescript/no-floating-promises": "error",
    "typescript/consistent-type-imports": "error",
    "typescript/switch-exhaustiveness-check": "error",
    eqeqeq: "error",
    "no-console": "error",
    "no-unused-vars": [
      "error",
      { argsIgnorePattern: "^_", varsIgnorePattern: "^_", ignoreRestSiblings: true },
    ],
    // The compiler sees a switch that forgets a case; this rule sees one in every switch.
    "typescript/consistent-return": "off",
    // TypeScript's syntax kinds are numbers to its own programming interface.
    "typescript/no-unsafe-enum-comparison": "off",
    "typescript/no-unnecessary-type-arguments": "off",
    "typescript/no-unnecessary-type-parameters": "off",
    "typescript/no-generated-empty-object-type": "off",
    "no-await-in-loop": "off",
    "no-shadow": "off",
    "oxc/no-map-spread": "off",
    "unicorn/no-array-sort": "off",
    "unicorn/consistent-function-scoping": "off",
    "unicorn/filename-case": ["error", { case: "kebabCase" }],
  },
  overrides: [
    ...layerRules,
    {
      // Participles say what happened to a value, not what it is.
      files: ["src/**/*.ts"],
      excludeFiles: testFiles,
      rules: { "id-denylist": ["error", ...vagueNames] },
    },
    {
      files: ["src/**/*.ts"],
      excludeFiles: testFiles,
      rules: {
        "no-restricted-properties": [
          "error",
          {
            object: "Object",
            property: "assign",
            message:
              "A key __proto__ from outside becomes the prototype. Write a spread or mergeOwn, or say on the line why no key is from outside.",
          },
        ],
      },
    },
    {
      // The MCP SDK calls handlers that are properties.
      files: ["src/connectors/mcp/**/*.ts"],
      rules: { "unicorn/prefer-add-event-listener": "off" },
    },
    {
      // Tests hand in what no program should.
      files: testFiles,
      rules: {
        "no-console": "off",
        "no-extra-bind": "off",
        "typescript/no-implied-eval": "off",
        "typescript/no-unsafe-type-assertion": "off",
        "typescript/unbound-method": "off",
        // Helpers that expect something stand outside the tests that call them; a message may be the second argument.
        "vitest/no-standalone-expect": "off",
        "vitest/expect-expect": ["error", { assertFunctionNames: ["expect*", "assert*"] }],
        "vitest/valid-expect": ["error", { maxArgs: 2 }],
      },
    },
    {
      // Configurations and loaders are default exports.
      files: [
        "*.config.ts",
        "src/sources/next/loader.ts",
        "test/builds/table/*/default-export.*",
        "test/attach/app/**",
      ],
      rules: { "import/no-default-export": "off" },
    },
    {
      files: [
        "scripts/**",
        "examples/**",
        "bench/**",
        "docs/**",
        "test/{attach,bundlers}/app/**",
        "test/builds/table/src/main.ts",
      ],
      rules: { "no-console": "off" },
    },
  ],
});

export default config;
