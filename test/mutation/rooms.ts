/** What a check covers: the sources that are changed, and the tests that must notice. */
export interface Room {
  readonly sources: readonly string[];
  readonly tests: readonly string[];
}

const behaviour = ["test/behaviour/**/*.test.ts"];
const providers = [
  "src/providers/**/*.test.ts",
  "test/providers/{broken-answers,golden,server-words}.test.ts",
];

/** The rooms by name. Tests of the long suite are left out: each would run for every mutant that it reaches. */
export const rooms: Readonly<Record<string, Room>> = {
  run: {
    sources: ["src/run/**/*.ts"],
    tests: ["src/{run,sessions}/**/*.test.ts", "src/tool/origins.test.ts", ...behaviour],
  },
  executor: {
    sources: ["src/executor/**/*.ts"],
    tests: ["src/executor/**/*.test.ts", ...behaviour],
  },
  tool: {
    sources: ["src/tool/**/*.ts"],
    tests: ["src/{tool,executor,base/offload}/**/*.test.ts", ...behaviour],
  },
  schema: {
    sources: ["src/schema/**/*.ts"],
    tests: ["src/{schema,executor,tool}/**/*.test.ts", ...behaviour],
  },
  message: {
    sources: ["src/message/**/*.ts"],
    tests: ["src/{message,run,sessions}/**/*.test.ts", ...behaviour],
  },
  model: {
    sources: ["src/model/**/*.ts"],
    tests: ["src/{model,testing/recording}/**/*.test.ts", ...providers],
  },
  decoders: {
    sources: [
      "src/base/stream/**/*.ts",
      "src/providers/kit/**/*.ts",
      "src/providers/{ai-sdk,anthropic,google}/{answer,call-ids,decode*,grounding,parts,usage}.ts",
      "src/providers/openai/{chat,responses}/*.ts",
      "src/providers/openai/*.ts",
    ],
    tests: ["src/base/stream/**/*.test.ts", ...providers],
  },
};
