import type { ViteUserConfig } from "vitest/config";
import projectConfig from "../../vitest.config.ts";

/** The project's configuration, with the tests that `scripts/mutate.ts` names. */
const config: ViteUserConfig = projectConfig({ command: "serve", mode: "test" });
if (config.test) config.test.include = process.env["MUTATION_TESTS"]?.split(" ") ?? [];

export default config;
