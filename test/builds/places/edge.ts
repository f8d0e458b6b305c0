import type { Place, PlaceGroup } from "../place.ts";

const worker = `import { report } from "./report.ts";

export default {
  async fetch() {
    return Response.json(await report());
  },
};
`;

const build = `import { build } from "esbuild";
import { skein } from "skein/plugin";

await build({
  entryPoints: ["src/worker.ts"],
  outdir: "dist",
  bundle: true,
  format: "esm",
  conditions: ["workerd", "worker", "browser"],
  plugins: [skein.esbuild()],
});
`;

/** Wrangler's configuration: its own esbuild takes no plugins. */
const wrangler = (main: string, custom?: string): string =>
  JSON.stringify({
    name: "app",
    main,
    compatibility_date: "2026-06-01",
    ...(custom === undefined ? {} : { build: { command: custom } }),
  });

/** What was built for the platform, on workerd, which is what the platform runs. */
const request = `process.env.CLOUDFLARE_CF_FETCH_ENABLED = "false";
const { unstable_startWorker } = await import("wrangler");
const dev = { logLevel: "error", server: { port: 0 }, inspector: false };
const worker = await unstable_startWorker({ config: "built.json", dev });
const response = await worker.fetch("http://localhost/");
console.log(await response.text());
await worker.dispose();
`;
const built = JSON.stringify({
  name: "app",
  main: "bundle/worker.js",
  compatibility_date: "2026-06-01",
  no_bundle: true,
});

const workers: readonly Place[] = [
  {
    name: "Cloudflare Workers (Wrangler, workerd)",
    write: '`"build":{"command":"node build.js"}` with `plugins: [skein.esbuild()]`',
    gets: "schemas",
    install: "edge",
    files: {
      "src/worker.ts": worker,
      "build.js": build,
      "wrangler.json": wrangler("dist/worker.js", "node build.js"),
      "request.js": request,
      "built.json": built,
    },
    build: "wrangler deploy --dry-run --outdir bundle",
    run: "node request.js",
  },
  {
    name: "Cloudflare Workers, without the plugin",
    write: '`"main":"src/worker.ts"`',
    gets: { refusal: "Build it with Skein's plugin" },
    install: "edge",
    files: {
      "src/worker.ts": worker,
      "wrangler.json": wrangler("src/worker.ts"),
      "request.js": request,
      "built.json": built,
    },
    build: "wrangler deploy --dry-run --outdir bundle",
    run: "node request.js",
  },
];

/** Edge runtimes. */
export const edge: PlaceGroup = { title: "edge", places: workers };
