/** The modules of `src/` that `package.json` names, in `exports`, `imports` and `bin`, without their extension. */
export const entries: readonly string[] = [
  "index",
  "openai/index",
  "anthropic/index",
  "ai-sdk/index",
  "models/index",
  "offline/index",
  "testing/index",
  "cli/index",
  "cli/bin",
  "compiler/index",
  "attach/index",
  "plugin/index",
  "plugin/worker",
  "register/index",
  "reflection/index",
  "reflection/unavailable",
  "resolution/index",
  "resolution/unavailable",
  "offload/index",
  "offload/worker",
  "offload/unavailable",
];

/** Those that run on edge runtimes too: nothing that they reach imports a Node builtin. */
export const edgeEntries: readonly string[] = [
  "index",
  "openai/index",
  "anthropic/index",
  "ai-sdk/index",
  "models/index",
  "offline/index",
  "testing/index",
  "attach/index",
  "reflection/unavailable",
  "resolution/unavailable",
  "offload/unavailable",
];
