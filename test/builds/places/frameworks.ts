import { fileURLToPath } from "node:url";
import { pageConfiguration } from "../page-configuration.ts";
import type { Place, PlaceGroup } from "../place.ts";

const serve = `node ${fileURLToPath(new URL("../serve-report.ts", import.meta.url))}`;

/** An application of one framework. */
interface Application {
  readonly framework: string;
  /** The folder of `installs/`. */
  readonly install: string;
  /** How its users list the plugin. */
  readonly write: string;
  /** The configuration's file without the plugin; with it, the page shows it. */
  readonly unplugged: Readonly<Record<string, string>>;
  /** What else an application consists of; one route, `/report`, answers with what comes of the table. */
  readonly files: Readonly<Record<string, string>>;
  readonly build: string;
  readonly server: string;
  /** What is copied to where the server runs, if it runs without the framework's packages. */
  readonly deploy?: readonly string[];
  readonly packageJson?: Readonly<Record<string, unknown>>;
  /** The error without the plugin. */
  readonly refusal: string;
}

/** The application as its framework builds it, with the plugin and without. */
function placesOf(application: Application): readonly Place[] {
  const { framework, files, server, write, unplugged, refusal, ...common } = application;
  const run = `${serve} ${server}`;
  return [
    {
      ...common,
      name: `${framework}, built`,
      write,
      gets: "schemas",
      files: { ...files, ...pageConfiguration(framework) },
      run,
    },
    {
      ...common,
      name: `${framework}, built without the plugin`,
      write: `\`${common.build}\``,
      gets: { refusal },
      files: { ...files, ...unplugged },
      run,
    },
  ];
}

const nitro: Application = {
  framework: "Nitro",
  install: "nitro",
  write: "`rollupConfig: { plugins: [skein.rollup()] }`",
  unplugged: {
    "nitro.config.js": 'export default { srcDir: "server", externals: { inline: ["skein"] } };\n',
  },
  files: {
    "server/routes/report.ts": `import { defineEventHandler } from "h3";
import { report } from "../../src/report.ts";

export default defineEventHandler(() => report());
`,
  },
  build: "nitro build",
  deploy: [".output"],
  server: "node .output/server/index.mjs",
  refusal: "plugins: [skein.rollup()]",
};

const nuxt: Application = {
  framework: "Nuxt",
  install: "nuxt",
  write: "`rollupConfig: { plugins: [skein.rollup()] }`",
  unplugged: {
    "nuxt.config.js": 'export default defineNuxtConfig({ nitro: { externals: { inline: ["skein"] } } });\n',
  },
  files: {
    "app/app.vue": "<template><p>Skein</p></template>\n",
    "server/routes/report.ts": `import { report } from "../../src/report.ts";

export default defineEventHandler(() => report());
`,
  },
  build: "NUXT_TELEMETRY_DISABLED=1 nuxt build",
  deploy: [".output"],
  server: "node .output/server/index.mjs",
  refusal: "plugins: [skein.rollup()]",
};

const reactRouter: Application = {
  framework: "React Router",
  install: "react-router",
  write: "`plugins: [skein.vite(), reactRouter()]`",
  unplugged: {
    "vite.config.js": `import { reactRouter } from "@react-router/dev/vite";

export default { plugins: [reactRouter()] };
`,
  },
  packageJson: { dependencies: { isbot: "5.2.3", skein: "0.0.0", "tool-box": "1.0.0" } },
  files: {
    "react-router.config.ts": 'export default { appDirectory: "src" };\n',
    "src/root.tsx": `import { Outlet, Scripts } from "react-router";

export default function Root() {
  return (
    <html lang="en">
      <body>
        <Outlet />
        <Scripts />
      </body>
    </html>
  );
}
`,
    "src/routes.ts": `import { route } from "@react-router/dev/routes";

export default [route("report", "./report-route.ts")];
`,
    "src/report-route.ts": `import { report } from "./report.ts";

export async function loader() {
  return Response.json(await report());
}
`,
  },
  build: "react-router build",
  server: "react-router-serve build/server/index.js",
  refusal: "plugins: [skein.vite()]",
};

const svelteKit: Application = {
  framework: "SvelteKit",
  install: "sveltekit",
  write: "`plugins: [skein.vite(), sveltekit({ adapter: adapter() })]`",
  unplugged: {
    "vite.config.js": `import adapter from "@sveltejs/adapter-node";
import { sveltekit } from "@sveltejs/kit/vite";

export default { plugins: [sveltekit({ adapter: adapter() })] };
`,
  },
  files: {
    "tsconfig.json": JSON.stringify({
      extends: "$app/tsconfig",
      compilerOptions: { strict: true, allowImportingTsExtensions: true },
      include: ["src"],
    }),
    "src/app.html": `<!doctype html>
<html lang="en">
  <head>
    %sveltekit.head%
  </head>
  <body>
    %sveltekit.body%
  </body>
</html>
`,
    "src/routes/report/+server.ts": `import { report } from "../../report.ts";

export async function GET() {
  return Response.json(await report());
}
`,
  },
  build: "vite build",
  deploy: ["build"],
  server: "node build/index.js",
  refusal: "plugins: [skein.vite()]",
};

const astro: Application = {
  framework: "Astro",
  install: "astro",
  write: "`vite: { plugins: [skein.vite()] }`",
  unplugged: {
    "astro.config.js": `import node from "@astrojs/node";

export default { output: "server", adapter: node({ mode: "standalone" }) };
`,
  },
  files: {
    "tsconfig.json": JSON.stringify({ extends: "astro/tsconfigs/strict", include: ["src"] }),
    "src/pages/report.ts": `import { report } from "../report.ts";

export async function GET() {
  return Response.json(await report());
}
`,
  },
  build: "ASTRO_TELEMETRY_DISABLED=1 astro build",
  server: "node dist/server/entry.mjs",
  refusal: "plugins: [skein.vite()]",
};

/** Nuxt's server for development. */
const nuxtDev: Place = {
  name: "Nuxt, in development",
  write: nuxt.write,
  gets: "schemas",
  install: nuxt.install,
  files: { ...nuxt.files, ...pageConfiguration(nuxt.framework) },
  run: `${serve} nuxt dev`,
};

/** Frameworks that build with Vite or Rollup. */
export const frameworks: PlaceGroup = {
  title: "frameworks",
  places: [...[nitro, nuxt, reactRouter, svelteKit, astro].flatMap(placesOf), nuxtDev],
};
