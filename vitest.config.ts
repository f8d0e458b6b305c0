import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const source = (path: string): string => fileURLToPath(new URL(`./src/${path}`, import.meta.url));

export default defineConfig({
  resolve: {
    alias: [
      { find: /^skein$/, replacement: source("index.ts") },
      { find: /^skein\/(.+)$/, replacement: source("$1/index.ts") },
      { find: "#reflection", replacement: source("reflection/index.ts") },
      { find: "#model-resolution", replacement: source("resolution/index.ts") },
    ],
  },
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "docs/**/*.test.ts", "examples/**/*.test.ts"],
    typecheck: { enabled: false },
    restoreMocks: true,
  },
});
