import type { PlaceGroup } from "../place.ts";

const esbuild = `import { build } from "esbuild";
import { skein } from "skein/plugin";

await build({
  entryPoints: ["src/main.ts"],
  outdir: "dist",
  bundle: true,
  format: "esm",
  platform: "node",
  plugins: [skein.esbuild()],
});
`;

/** Bundlers with the plugin, and without it. */
export const bundlers: PlaceGroup = {
  title: "bundlers",
  places: [
    {
      name: "esbuild",
      write: "`plugins: [skein.esbuild()]`",
      gets: "schemas",
      install: "bundlers",
      files: { "build.js": esbuild },
      build: "node build.js",
      run: "node dist/main.js",
    },
  ],
};
