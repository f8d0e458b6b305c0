import type { ViteUserConfig } from "vitest/config";
import projectConfig from "../../vitest.config.ts";

/** The project's configuration, with the tests that `scripts/mutate.ts` names. */
const config: ViteUserConfig = projectConfig({ command: "serve", mode: "test" });
if (config.test) {
  config.test.include = process.env["MUTATION_TESTS"]?.split(" ") ?? [];
  config.test.setupFiles = ["test/mutation/load.ts"];
  // After Stryker's own, which says what is changed: what is loaded before that is loaded without the change.
  config.test.sequence = { ...config.test.sequence, setupFiles: "list" };
  // Code that notes what each test reaches is several times slower.
  config.test.testTimeout = 180_000;
  // They change the working directory, which the threads that Stryker uses cannot.
  const chdir = ["session-failures", "working-directory"].map((name) => `test/behaviour/${name}.test.ts`);
  config.test.exclude = [...(config.test.exclude ?? []), ...chdir];
}

export default config;
